-- sqlite3 -bail < golden.sql > golden.csv, in this folder. One name in two rows with other scores:
-- the second is NAME#2.
.import --csv 2024-03-25/data.csv first
.import --csv 2024-08-20/data_combined.csv second
.import --csv 2025-09-01/data_overall.csv third
.mode csv
.separator , "\n"
.headers on
WITH cells AS (
  SELECT '2024-03-25' AS version, rowid AS place, "Model" AS name, "Overall Acc" AS score_text FROM first
  UNION ALL SELECT '2024-08-20', rowid, "Model", "Overall Acc" FROM second
  UNION ALL SELECT '2025-09-01', rowid, "Model", "Overall Acc" FROM third
), numbers AS (
  SELECT *, row_number() OVER (PARTITION BY version, name ORDER BY place) AS nth,
         CASE WHEN score_text = 'N/A' THEN NULL ELSE CAST(score_text AS REAL) END AS score
  FROM cells
)
SELECT version, name || iif(nth > 1, '#' || nth, '') AS entry, score_text,
       CASE WHEN score IS NULL THEN '' ELSE
         (SELECT count(*) + 1 FROM numbers AS other
          WHERE other.version = numbers.version AND other.score > numbers.score) END AS rank
FROM numbers ORDER BY version, place;
