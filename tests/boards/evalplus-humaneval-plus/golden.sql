-- sqlite3 -bail < golden.sql > golden.csv, in this folder. First version: name and size are the
-- key (GPT-4 has no size), and pass@1* counts where it is given.
.import --csv 2023-07-21/humanevalplus.csv first
.import --csv 2023-12-01/humaneval.csv second
.mode csv
.separator , "\n"
.headers on
WITH cells AS (
  SELECT '2023-07-21' AS version, rowid AS place,
         iif("Size" = 'N/A', "Model", "Model" || '-' || "Size") AS entry,
         iif("pass@1*" <> '', "pass@1*", "pass@1") AS score_text
  FROM first
  UNION ALL SELECT '2023-12-01', rowid, "Model", "pass@1_plus" FROM second
  UNION ALL SELECT '2024-05-01', row.id, row.key,
         coalesce(nullif(row.value -> '$."pass@1"."humaneval+"', 'null'), '')
  FROM json_each(readfile('2024-05-01/results.json')) AS row
), numbers AS (
  SELECT *, CASE WHEN score_text = '' THEN NULL ELSE CAST(score_text AS REAL) END AS score FROM cells
)
SELECT version, entry, score_text,
       CASE WHEN score IS NULL THEN '' ELSE
         (SELECT count(*) + 1 FROM numbers AS other
          WHERE other.version = numbers.version AND other.score > numbers.score) END AS rank
FROM numbers ORDER BY version, place;
