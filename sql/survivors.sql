-- one row per answer that passed every check that ran, in the live runs of each job
-- What may be shown: a generation that failed is discarded, never shown.
SELECT *
FROM latest_verdicts
WHERE passed
ORDER BY job, source_file, source_row, run_id
