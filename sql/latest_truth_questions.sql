-- one row per question of a fixture, in the live runs of each job
-- The live runs are those that the last run of a job left in force; `job` is its name, or its id.
SELECT latest.job, truth_questions.*
FROM truth_questions
JOIN latest USING (run_id)
