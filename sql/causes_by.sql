-- one row per job, value of the named column, kind of token, and cause of refusal
-- called as causes_by(column_name)
-- Why numbers and citations were refused, by any column of latest_verdicts, as text:
-- FROM causes_by('lang'). `tokens` were refused for the cause, and `share` is of all refused tokens
-- of that kind; `refused` answers hold one, and the rates are of the answers that grounding ran on.
-- What is refused is always checked, so both rates have the same count. The cause is null in runs
-- that explain nothing.
WITH answers AS (
    SELECT
        job,
        run_id,
        answer_id,
        COLUMNS([column_name])::VARCHAR AS value,
        n_numbers + n_citations > 0 AS checked
    FROM latest_verdicts
    WHERE grounded IS NOT NULL
),

totals AS (
    SELECT job, value, count(*) AS answers, count(*) FILTER (checked) AS checked
    FROM answers
    GROUP BY job, value
),

refusals AS (
    SELECT job, run_id, answer_id, kind, cause, count(*) AS tokens
    FROM latest_findings
    WHERE kind IN ('ungrounded_number', 'invalid_citation')
    GROUP BY job, run_id, answer_id, kind, cause
),

counts AS (
    SELECT job, value, kind, cause, sum(tokens)::BIGINT AS tokens, count(*) AS refused
    FROM refusals
    JOIN answers USING (job, run_id, answer_id)
    GROUP BY job, value, kind, cause
),

with_totals AS (
    SELECT *, sum(tokens) OVER (PARTITION BY job, value, kind)::BIGINT AS all_tokens
    FROM counts
)

SELECT
    with_totals.job,
    with_totals.value,
    kind,
    cause,
    tokens,
    all_tokens,
    tokens / nullif(all_tokens, 0) AS share,
    wilson_low(tokens, all_tokens) AS share_low,
    wilson_high(tokens, all_tokens) AS share_high,
    refused,
    answers,
    refused / nullif(answers, 0) AS refusal_rate,
    wilson_low(refused, answers) AS refusal_rate_low,
    wilson_high(refused, answers) AS refusal_rate_high,
    checked,
    refused / nullif(checked, 0) AS checked_refusal_rate,
    wilson_low(refused, checked) AS checked_refusal_rate_low,
    wilson_high(refused, checked) AS checked_refusal_rate_high
FROM with_totals
JOIN totals
    ON with_totals.job = totals.job
    AND with_totals.value IS NOT DISTINCT FROM totals.value
ORDER BY with_totals.job, with_totals.value, kind DESC, tokens DESC, cause
