-- sqlite3 -bail < golden.sql > golden.csv, in this folder.
.mode csv
.separator , "\n"
.headers on
WITH files(version, body) AS (VALUES
  ('2026-10-10', readfile('2026-10-10/data/vision.json')),
  ('2026-10-16', readfile('2026-10-16/data/vision.json')),
  ('2026-10-22', readfile('2026-10-22/data/vision.json'))
), cells AS (
  SELECT version, row.key AS place, row.value ->> 'engine' AS entry,
         coalesce(nullif(row.value -> 'full', 'null'), '') AS score_text,
         coalesce(row.value ->> 'ref', 0) AS reference
  FROM files, json_each(body, '$.entries') AS row
), numbers AS (
  SELECT *, CASE WHEN score_text = '' OR reference THEN NULL ELSE CAST(score_text AS REAL) END AS score
  FROM cells
)
SELECT version, entry, score_text,
       CASE WHEN score IS NULL THEN '' ELSE
         (SELECT count(*) + 1 FROM numbers AS other
          WHERE other.version = numbers.version AND other.score > numbers.score) END AS rank
FROM numbers ORDER BY version, place;
