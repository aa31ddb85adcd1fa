-- sqlite3 -bail < golden.sql > golden.csv, in this folder.
.mode csv
.separator , "\n"
.headers on
WITH files(version, body) AS (VALUES
  ('2026-10-10', readfile('2026-10-10/data/v03.json')),
  ('2026-10-20', readfile('2026-10-20/data/v03.json')),
  ('2026-10-21', readfile('2026-10-21/data/v03.json'))
), cells AS (
  SELECT version, row.key AS place, row.value ->> 'engine' AS entry,
         coalesce(nullif(row.value -> 'v', 'null'), '') AS score_text
  FROM files, json_each(body, '$.models') AS row
), numbers AS (
  SELECT *, CASE WHEN score_text = '' THEN NULL ELSE CAST(score_text AS REAL) END AS score FROM cells
), by_hand(version, entry, tie_rank) AS (VALUES
  ('2026-10-10', 'plover', 1),      -- leads the first group at 62.75
  ('2026-10-10', 'ref', 1),         -- 61.85 is exactly 0.90 behind
  ('2026-10-10', 'siskin', 3),      -- 61.84 is 0.91 behind, though 0.01 behind the one before
  ('2026-10-10', 'bulbul-27b', 3),  -- 60.95 is 0.89 behind 61.84
  ('2026-10-10', 'stork-3b', 5),    -- 40.10
  ('2026-10-10', 'myna-2b', 5),     -- 40.10
  ('2026-10-10', 'dodo-latest', 7), -- 0.00
  ('2026-10-20', 'siskin', 1),      -- leads at 68.10
  ('2026-10-20', 'plover', 1),      -- 67.20 is exactly 0.90 behind
  ('2026-10-20', 'ref', 3),         -- 67.15 is 0.95 behind
  ('2026-10-20', 'bulbul-27b', 3),  -- 66.27 is 0.88 behind 67.15
  ('2026-10-20', 'stork-3b', 5),    -- 41.02
  ('2026-10-20', 'myna-2b', 5),     -- 41.02
  ('2026-10-21', 'plover', 1),      -- leads at 67.20
  ('2026-10-21', 'ref', 1),         -- 0.05 behind
  ('2026-10-21', 'siskin', 1),      -- 0.10 behind
  ('2026-10-21', 'myna-2b', 1),     -- 0.30 behind
  ('2026-10-21', 'bulbul-27b', 5)   -- 66.27 is 0.93 behind 67.20
)
SELECT version, entry, score_text,
       CASE WHEN score IS NULL THEN '' ELSE
         (SELECT count(*) + 1 FROM numbers AS other
          WHERE other.version = numbers.version AND other.score > numbers.score) END AS rank,
       coalesce(tie_rank, '') AS tie_rank
FROM numbers LEFT JOIN by_hand USING (version, entry) ORDER BY version, place;
