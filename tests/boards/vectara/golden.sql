-- sqlite3 -bail < golden.sql > golden.csv, in this folder. Lower is better.
CREATE TABLE first(name, score_text);
.import --csv "|awk -F'|' -f ../table.awk 2023-11-01/README.md" first
CREATE TABLE second(name, score_text);
.import --csv "|awk -F'|' -f ../table.awk 2024-01-05/README.md" second
CREATE TABLE third(name, score_text);
.import --csv "|awk -F'|' -f ../table.awk 2025-11-19/README.md" third
.mode csv
.separator , "\n"
.headers on
WITH cells AS (
  SELECT '2023-11-01' AS version, rowid AS place, name AS entry, score_text FROM first
  UNION ALL SELECT '2024-01-05', rowid, name, score_text FROM second
  UNION ALL SELECT '2025-11-19', rowid, name, score_text FROM third
), numbers AS (
  SELECT *, CASE WHEN score_text = '-' THEN NULL ELSE CAST(score_text AS REAL) END AS score FROM cells
)
SELECT version, entry, score_text,
       CASE WHEN score IS NULL THEN '' ELSE
         (SELECT count(*) + 1 FROM numbers AS other
          WHERE other.version = numbers.version AND other.score < numbers.score) END AS rank
FROM numbers ORDER BY version, place;
