-- sqlite3 -bail < golden.sql > golden.csv, in this folder. awk takes the YAML files apart: a row
-- begins with "- dirname". One name in two rows with other scores: the second is NAME#2.
.import --csv 2024-05-04/_data/refactor_leaderboard.csv csv
CREATE TABLE first AS SELECT model AS name, first AS score_text FROM csv;
CREATE TABLE second(name, score_text);
.import --csv "|awk -f ../rows.awk key=pass_rate_1 2024-05-08/_data/refactor_leaderboard.yml" second
CREATE TABLE third(name, score_text);
.import --csv "|awk -f ../rows.awk key=pass_rate_1 2024-10-22/aider/website/_data/refactor_leaderboard.yml" third
.mode csv
.separator , "\n"
.headers on
WITH cells AS (
  SELECT '2024-05-04' AS version, rowid AS place, name, score_text FROM first WHERE name <> ''
  UNION ALL SELECT '2024-05-08', rowid, name, score_text FROM second
  UNION ALL SELECT '2024-10-22', rowid, name, score_text FROM third
), numbers AS (
  SELECT *, row_number() OVER (PARTITION BY version, name ORDER BY place) AS nth,
         CASE WHEN score_text IN ('', 'N/A') THEN NULL ELSE CAST(score_text AS REAL) END AS score
  FROM cells
)
SELECT version, name || iif(nth > 1, '#' || nth, '') AS entry, score_text,
       CASE WHEN score IS NULL THEN '' ELSE
         (SELECT count(*) + 1 FROM numbers AS other
          WHERE other.version = numbers.version AND other.score > numbers.score) END AS rank
FROM numbers ORDER BY version, place;
