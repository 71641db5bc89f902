-- one row per asserted fact of an answer, in the live runs of each job
-- The live runs are those that the last run of a job left in force; `job` is its name, or its id.
-- Rows of a file that an incremental job graded anew since are left out.
SELECT latest.job, claims.*
FROM claims
JOIN latest USING (run_id)
ANTI JOIN (
    SELECT run_id, answer_id
    FROM verdicts
    SEMI JOIN superseded USING (run_id, source_file)
) USING (run_id, answer_id)
