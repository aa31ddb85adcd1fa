-- sqlite3 -bail < golden.sql > golden.csv, in this folder. Where both files are there, the newer
-- name counts.
.mode csv
.separator , "\n"
.headers on
WITH files(version, body) AS (VALUES
  ('2025-02-06', readfile('2025-02-06/data/leaderboard-data.json')),
  ('2025-03-07', readfile('2025-03-07/data/leaderboard-text.json')),
  ('2025-05-27', readfile('2025-05-27/data/leaderboard-text.json'))
), cells AS (
  SELECT version, row.id AS place, row.key AS entry,
         coalesce(nullif(row.value -> 'rating', 'null'), '') AS score_text
  FROM files, json_each(body, '$.full') AS row
), numbers AS (
  SELECT *, CASE WHEN score_text = '' THEN NULL ELSE CAST(score_text AS REAL) END AS score FROM cells
)
SELECT version, entry, score_text,
       CASE WHEN score IS NULL THEN '' ELSE
         (SELECT count(*) + 1 FROM numbers AS other
          WHERE other.version = numbers.version AND other.score > numbers.score) END AS rank
FROM numbers ORDER BY version, place;
