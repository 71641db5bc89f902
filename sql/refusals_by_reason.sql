-- one row per job and reason for which grounding refused an answer
-- An answer has one reason, the first that holds: ungrounded_number, then invalid_citation.
-- `answers` are those that grounding ran on; what was refused is always checked, so both rates
-- have the same count.
WITH totals AS (
    SELECT
        job,
        count(grounded) AS answers,
        count(grounded) FILTER (n_numbers + n_citations > 0) AS checked
    FROM latest_verdicts
    GROUP BY job
),

refusals AS (
    SELECT job, reason, count(*) AS refused
    FROM latest_verdicts
    WHERE NOT grounded
    GROUP BY job, reason
)

SELECT
    job,
    reason,
    refused,
    answers,
    refused / nullif(answers, 0) AS refusal_rate,
    checked,
    refused / nullif(checked, 0) AS checked_refusal_rate
FROM refusals
JOIN totals USING (job)
ORDER BY job, refused DESC, reason
