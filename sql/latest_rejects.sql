-- one row per input row that could not be graded, in the live runs of each job
-- The live runs are those that the last run of a job left in force; `job` is its name, or its id.
-- Rows of a file that an incremental job graded anew since are left out.
SELECT latest.job, rejects.*
FROM rejects
JOIN latest USING (run_id)
ANTI JOIN superseded USING (run_id, source_file)
