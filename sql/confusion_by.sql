-- one row per job, value of the named column, policy, and whether over all or checked answers
-- called as confusion_by(column_name)
-- How verdicts agree with what people say, by any column of latest_verdicts, as text:
-- FROM confusion_by('model'). A positive is a refused answer, and it is a true one where people say
-- `unsupported`, a false one where they say `supported`. `partial` answers stand apart; `na` and null
-- are left out, as are answers that grounding did not run on. The policies are `strict` (grounded),
-- `with_waivers` (the waivers of the job) and `recommended` (those of waivable_causes, from the
-- findings; not shown for a job that explains nothing). `among` is `all` or `checked`.
WITH answers AS (
    SELECT
        job,
        run_id,
        answer_id,
        COLUMNS([column_name])::VARCHAR AS value,
        label AS said,
        n_numbers + n_citations > 0 AS checked,
        NOT grounded AS strict,
        NOT coalesce(grounded_with_waivers, grounded) AS with_waivers
    FROM latest_verdicts
    WHERE label IN ('supported', 'partial', 'unsupported') AND grounded IS NOT NULL
),

refused AS (
    SELECT
        job,
        run_id,
        answer_id,
        bool_or(NOT recommended) AS recommended,
        bool_or(recommended IS NULL) AS unexplained
    FROM refused_tokens
    SEMI JOIN answers USING (job, run_id, answer_id)
    GROUP BY job, run_id, answer_id
),

unexplained AS (
    SELECT DISTINCT job
    FROM refused
    WHERE unexplained
),

judged AS (
    SELECT job, value, 'strict' AS policy, said, checked, strict AS positive
    FROM answers

    UNION ALL
    SELECT job, value, 'with_waivers', said, checked, with_waivers
    FROM answers

    UNION ALL
    SELECT job, value, 'recommended', said, checked, coalesce(recommended, false)
    FROM answers
    LEFT JOIN refused USING (job, run_id, answer_id)
    ANTI JOIN unexplained USING (job)
),

shown AS (
    SELECT *, 'all' AS among FROM judged
    UNION ALL
    SELECT *, 'checked' FROM judged WHERE checked
),

counts AS (
    SELECT
        job,
        value,
        policy,
        among,
        count(*) FILTER (said = 'unsupported' AND positive) AS true_positives,
        count(*) FILTER (said = 'supported' AND positive) AS false_positives,
        count(*) FILTER (said = 'unsupported' AND NOT positive) AS false_negatives,
        count(*) FILTER (said = 'supported' AND NOT positive) AS true_negatives,
        count(*) FILTER (said = 'partial') AS partial,
        count(*) FILTER (said = 'partial' AND positive) AS partial_refused
    FROM shown
    GROUP BY job, value, policy, among
),

totals AS (
    SELECT
        *,
        true_positives + false_positives AS refused,
        true_positives + false_negatives AS unsupported,
        false_positives + true_negatives AS supported
    FROM counts
)

SELECT
    job,
    value,
    policy,
    among,
    true_positives,
    false_positives,
    false_negatives,
    true_negatives,
    unsupported,
    true_positives / nullif(unsupported, 0) AS recall,
    wilson_low(true_positives, unsupported) AS recall_low,
    wilson_high(true_positives, unsupported) AS recall_high,
    supported,
    false_positives / nullif(supported, 0) AS false_alarms,
    wilson_low(false_positives, supported) AS false_alarms_low,
    wilson_high(false_positives, supported) AS false_alarms_high,
    refused,
    true_positives / nullif(refused, 0) AS "precision",
    wilson_low(true_positives, refused) AS precision_low,
    wilson_high(true_positives, refused) AS precision_high,
    partial,
    partial_refused
FROM totals
ORDER BY
    job,
    value,
    list_position(['strict', 'with_waivers', 'recommended'], policy),
    among
