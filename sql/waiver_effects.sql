-- one row per job and cause that a job may waive and for which it refused a number
-- What waiving would change, from the findings and without another run. Of the `refused` answers
-- `holding` hold a number that could be waived for it. `rescued` would be grounded if that cause alone were waived,
-- and `rescued_with_recommended` if the recommended policy were waived beside it, of which
-- `rescued_by_recommended` need that policy alone. Where people labelled the answers, the columns
-- `…_supported` and `…_unsupported` count what they say of those. What is refused is always checked.
WITH answers AS (
    SELECT
        job,
        run_id,
        answer_id,
        CASE WHEN count(waivable) = count(*) AND min(waivable) = max(waivable)
            THEN min(waivable) END AS alone,
        count(*) FILTER (NOT recommended) = 0 AS by_recommended,
        CASE WHEN count(waivable) = count(*)
            AND min(waivable) FILTER (NOT recommended) = max(waivable) FILTER (NOT recommended)
            THEN min(waivable) FILTER (NOT recommended) END AS beside_recommended
    FROM refused_tokens
    WHERE cause IS NOT NULL
    GROUP BY job, run_id, answer_id
),

labelled AS (
    SELECT answers.*, latest_verdicts.label
    FROM answers
    JOIN latest_verdicts USING (job, run_id, answer_id)
),

totals AS (
    SELECT
        job,
        count(*) AS refused,
        count(*) FILTER (by_recommended) AS by_recommended,
        count(*) FILTER (by_recommended AND label = 'supported') AS by_supported,
        count(*) FILTER (by_recommended AND label = 'unsupported') AS by_unsupported
    FROM labelled
    GROUP BY job
),

holding AS (
    SELECT job, waivable AS cause, count(DISTINCT (run_id, answer_id)) AS holding
    FROM refused_tokens
    WHERE waivable IS NOT NULL
    GROUP BY job, waivable
),

alone AS (
    SELECT
        job,
        alone AS cause,
        count(*) AS rescued,
        count(*) FILTER (label = 'supported') AS rescued_supported,
        count(*) FILTER (label = 'unsupported') AS rescued_unsupported
    FROM labelled
    WHERE alone IS NOT NULL
    GROUP BY job, alone
),

beside AS (
    SELECT
        job,
        beside_recommended AS cause,
        count(*) AS more,
        count(*) FILTER (label = 'supported') AS more_supported,
        count(*) FILTER (label = 'unsupported') AS more_unsupported
    FROM labelled
    WHERE beside_recommended IS NOT NULL
    GROUP BY job, beside_recommended
),

counts AS (
    SELECT
        job,
        cause,
        recommended,
        refused,
        holding,
        coalesce(rescued, 0) AS rescued,
        coalesce(rescued_supported, 0) AS rescued_supported,
        coalesce(rescued_unsupported, 0) AS rescued_unsupported,
        by_recommended AS rescued_by_recommended,
        by_recommended + coalesce(more, 0) AS rescued_with_recommended,
        by_supported + coalesce(more_supported, 0) AS with_recommended_supported,
        by_unsupported + coalesce(more_unsupported, 0) AS with_recommended_unsupported
    FROM holding
    JOIN waivable_causes USING (cause)
    JOIN totals USING (job)
    LEFT JOIN alone USING (job, cause)
    LEFT JOIN beside USING (job, cause)
)

SELECT
    job,
    cause,
    recommended,
    refused,
    holding,
    rescued,
    rescued / nullif(refused, 0) AS rescued_rate,
    wilson_low(rescued, refused) AS rescued_rate_low,
    wilson_high(rescued, refused) AS rescued_rate_high,
    rescued_supported,
    rescued_unsupported,
    rescued_by_recommended,
    rescued_with_recommended,
    rescued_with_recommended / nullif(refused, 0) AS with_recommended_rate,
    wilson_low(rescued_with_recommended, refused) AS with_recommended_rate_low,
    wilson_high(rescued_with_recommended, refused) AS with_recommended_rate_high,
    with_recommended_supported,
    with_recommended_unsupported
FROM counts
ORDER BY job, rescued DESC, cause
