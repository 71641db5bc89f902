-- one row per asserted fact of an answer, in the live runs of each job
-- The live runs are those that the last run of a job left in force; `job` is its name, or its id.
SELECT latest.job, claims.*
FROM claims
JOIN latest USING (run_id)
