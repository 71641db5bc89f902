-- one row per job, value of the named column, and verdict
-- called as pass_rates_by(column_name)
-- How often answers pass, by any column of latest_verdicts, as text: FROM pass_rates_by('lang').
-- The verdicts are `passed` (every check that ran), `grounded`, and `annotations` (valid, and no
-- unsupported claim). `answers` counts those for which the verdict was reached: where a check did
-- not run there is none, and `not_run` says how often. An answer is `checked` if it holds a number
-- or a citation; the others are grounded without having said anything.
WITH answers AS (
    SELECT
        job,
        COLUMNS([column_name])::VARCHAR AS value,
        coalesce(n_numbers + n_citations > 0, false) AS checked,
        passed,
        grounded,
        response_evidence_valid AND unsupported_claim_count = 0 AS annotations
    FROM latest_verdicts
),

reached AS (
    SELECT job, value, checked, 'passed' AS verdict, passed AS positive FROM answers
    UNION ALL
    SELECT job, value, checked, 'grounded', grounded FROM answers
    UNION ALL
    SELECT job, value, checked, 'annotations', annotations FROM answers
),

counts AS (
    SELECT
        job,
        value,
        verdict,
        count(positive) AS answers,
        count(*) FILTER (positive) AS passed,
        count(positive) FILTER (checked) AS checked,
        count(*) FILTER (positive AND checked) AS checked_passed,
        count(*) FILTER (positive IS NULL) AS not_run
    FROM reached
    GROUP BY job, value, verdict
)

SELECT
    job,
    value,
    verdict,
    answers,
    passed,
    passed / nullif(answers, 0) AS pass_rate,
    checked,
    checked_passed,
    checked_passed / nullif(checked, 0) AS checked_pass_rate,
    not_run
FROM counts
ORDER BY job, value, verdict DESC
