-- one row per finding, in the live runs of each job
-- The live runs are those that the last run of a job left in force; `job` is its name, or its id.
SELECT latest.job, findings.*
FROM findings
JOIN latest USING (run_id)
