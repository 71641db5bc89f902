-- one row per refused number or citation, with the cause that could be waived for it
-- `waivable` is null where nothing may waive it: a citation, a cause that is never waived, or a
-- separator among its causes, which hides a tenfold error. `recommended` says whether the
-- recommended policy waives it, and is null in runs that explain nothing.
SELECT
    job,
    run_id,
    answer_id,
    latest_findings.cause AS cause,
    CASE WHEN allowed THEN waivable_causes.cause END AS waivable,
    CASE WHEN latest_findings.cause IS NOT NULL THEN allowed AND coalesce(recommended, false) END
        AS recommended
FROM (
    SELECT
        *,
        kind = 'ungrounded_number'
        AND NOT list_has_any(causes, ['separator_swapped', 'separator_dropped']) AS allowed
    FROM latest_findings
    WHERE kind IN ('ungrounded_number', 'invalid_citation')
) AS latest_findings
LEFT JOIN waivable_causes ON latest_findings.cause = waivable_causes.cause
