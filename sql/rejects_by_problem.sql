-- one row per job and problem for which input rows could not be graded
-- `read` counts the rows of the job that count, graded or not.
WITH totals AS (
    SELECT job, count(*) AS read
    FROM (SELECT job FROM latest_verdicts UNION ALL SELECT job FROM latest_rejects)
    GROUP BY job
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
