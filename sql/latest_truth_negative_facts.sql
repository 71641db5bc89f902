-- one row per negative fact, in the live runs of each job
-- The live runs are those that the last run of a job left in force; `job` is its name, or its id.
SELECT latest.job, truth_negative_facts.*
FROM truth_negative_facts
JOIN latest USING (run_id)
