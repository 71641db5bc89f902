-- one row per accepted value of a fact, in the live runs of each job
-- The live runs are those that the last run of a job left in force; `job` is its name, or its id.
SELECT latest.job, truth_facts.*
FROM truth_facts
JOIN latest USING (run_id)
