-- one row per job, kind of token, and token as written that grounding refused
-- `times` counts occurrences, `answers` the answers that hold one, and `share` is of all refused
-- tokens of that kind. The text is null in runs that publish no content.
WITH tokens AS (
    SELECT
        job,
        kind,
        "text",
        count(*) AS times,
        count(DISTINCT (run_id, answer_id)) AS answers
    FROM latest_findings
    WHERE kind IN ('ungrounded_number', 'invalid_citation')
    GROUP BY job, kind, "text"
),

totals AS (
    SELECT job, kind, count(*) AS refused
    FROM latest_findings
    GROUP BY job, kind
)

SELECT job, kind, "text", times, refused, times / nullif(refused, 0) AS share, answers
FROM tokens
JOIN totals USING (job, kind)
ORDER BY job, times DESC, kind, "text"
