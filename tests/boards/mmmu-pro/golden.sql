-- sqlite3 -bail < golden.sql > golden.csv, in this folder. A row that is twice the same counts once.
.mode csv
.separator , "\n"
.headers on
WITH files(version, body) AS (VALUES
  ('2024-09-05', readfile('2024-09-05/leaderboard_data.json')),
  ('2025-08-07', readfile('2025-08-07/leaderboard_data.json')),
  ('2026-04-09', readfile('2026-04-09/leaderboard_data.json'))
), cells AS (
  SELECT version, min(row.key) AS place, row.value ->> '$.info.name' AS entry,
         coalesce(row.value ->> '$.pro.overall', '') AS score_text
  FROM files, json_each(body, '$.leaderboardData') AS row
  WHERE row.value ->> '$.info.type' <> 'human_expert'
  GROUP BY version, entry, score_text
), numbers AS (
  SELECT *, CASE WHEN score_text IN ('', '-') THEN NULL ELSE CAST(score_text AS REAL) END AS score
  FROM cells
)
SELECT version, entry, score_text,
       CASE WHEN score IS NULL THEN '' ELSE
         (SELECT count(*) + 1 FROM numbers AS other
          WHERE other.version = numbers.version AND other.score > numbers.score) END AS rank
FROM numbers ORDER BY version, place;
