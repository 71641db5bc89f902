-- one row per job and problem for which input rows could not be graded
-- `read` counts the rows that the live runs of the job read, graded or not.
WITH totals AS (
    SELECT latest.job, sum(runs.read)::BIGINT AS read
    FROM runs
    JOIN latest USING (run_id)
    GROUP BY latest.job
),

problems AS (
    SELECT job, problem, count(*) AS rejected
    FROM latest_rejects
    GROUP BY job, problem
)

SELECT job, problem, rejected, read, rejected / nullif(read, 0) AS reject_rate
FROM problems
JOIN totals USING (job)
ORDER BY job, rejected DESC, problem
