-- sqlite3 -bail < golden.sql > golden.csv, in this folder.
.import --csv 2023-12-06/mbpp.csv first
.mode csv
.separator , "\n"
.headers on
WITH cells AS (
  SELECT '2023-12-06' AS version, rowid AS place, "Model" AS entry, "pass@1_plus" AS score_text FROM first
  UNION ALL SELECT '2024-04-01', row.id, row.key,
         coalesce(nullif(row.value -> '$."pass@1_plus"."mbpp"', 'null'), '')
  FROM json_each(readfile('2024-04-01/results.json')) AS row
  UNION ALL SELECT '2024-05-01', row.id, row.key,
         coalesce(nullif(row.value -> '$."pass@1"."mbpp+"', 'null'), '')
  FROM json_each(readfile('2024-05-01/results.json')) AS row
), numbers AS (
  SELECT *, CASE WHEN score_text = '' THEN NULL ELSE CAST(score_text AS REAL) END AS score FROM cells
)
SELECT version, entry, score_text,
       CASE WHEN score IS NULL THEN '' ELSE
         (SELECT count(*) + 1 FROM numbers AS other
          WHERE other.version = numbers.version AND other.score > numbers.score) END AS rank
FROM numbers ORDER BY version, place;
