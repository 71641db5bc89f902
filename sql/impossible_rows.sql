-- one row per contradiction within or between the published tables, over all runs
-- Empty, or a run is broken: by a defect of ours, or by somebody who changed its files. A list
-- that is null (no content published) contradicts nothing.
WITH found AS (
    SELECT
        run_id,
        answer_id,
        count(*) FILTER (kind = 'ungrounded_number') AS numbers,
        count(*) FILTER (kind = 'invalid_citation') AS citations,
        count(*) FILTER (kind IN ('malformed_annotation', 'duplicate_fact')) AS malformed,
        count(*) FILTER (kind IN ('invented_claim', 'unknown_negative_fact')) AS claims,
        count(*) FILTER (kind = 'unknown_input') AS inputs
    FROM findings
    GROUP BY run_id, answer_id
),

claimed AS (
    SELECT run_id, answer_id, count(*) FILTER (NOT supported) AS unsupported
    FROM claims
    GROUP BY run_id, answer_id
),

graded AS (
    SELECT run_id, count(*) AS n
    FROM verdicts
    GROUP BY run_id
),

rejected AS (
    SELECT run_id, count(*) AS n
    FROM rejects
    GROUP BY run_id
),

-- One scan for all that a verdict can contradict: itself, its findings, its claims.
of_verdicts AS (
    SELECT
        unnest([
            CASE WHEN grounded IS DISTINCT FROM (
                n_unsupported_numbers = 0 AND n_invalid_citations = 0
            ) THEN 'grounded_disagrees_with_counts' END,

            CASE WHEN reason IS DISTINCT FROM CASE
                WHEN n_unsupported_numbers > 0 THEN 'ungrounded_number'
                WHEN n_invalid_citations > 0 THEN 'invalid_citation'
                WHEN n_unsupported_numbers = 0 THEN 'grounded'
            END THEN 'reason_disagrees_with_counts' END,

            CASE WHEN n_unsupported_numbers <> len(unsupported_numbers)
                OR n_invalid_citations <> len(invalid_citations)
            THEN 'counts_disagree_with_lists' END,

            CASE WHEN n_unsupported_numbers > n_numbers
                OR n_invalid_citations + len(cited_indices) > n_citations
            THEN 'more_refused_than_found' END,

            CASE WHEN list_min(cited_indices) < 1 OR list_max(cited_indices) > n_passages
            THEN 'cites_a_passage_beyond_the_evidence' END,

            CASE WHEN passed IS DISTINCT FROM (
                coalesce(grounded, true)
                AND coalesce(response_evidence_valid AND unsupported_claim_count = 0, true)
            ) THEN 'passed_disagrees_with_checks' END,

            CASE WHEN (grounded AND NOT grounded_with_waivers)
                OR (passed_with_policy AND NOT grounded_with_waivers)
            THEN 'policy_disagrees_with_checks' END,

            CASE WHEN coalesce(n_unsupported_numbers, 0) <> coalesce(found.numbers, 0)
                OR coalesce(n_invalid_citations, 0) <> coalesce(found.citations, 0)
                OR coalesce(unsupported_claim_count, 0) <> coalesce(found.claims, 0)
                OR coalesce(unknown_input_count, 0) <> coalesce(found.inputs, 0)
                OR coalesce(response_evidence_valid, true) <> (coalesce(found.malformed, 0) = 0)
            THEN 'counts_disagree_with_findings' END,

            CASE WHEN claimed.unsupported > coalesce(unsupported_claim_count, 0)
            THEN 'counts_disagree_with_claims' END
        ]) AS check_name,
        run_id,
        answer_id
    FROM verdicts
    LEFT JOIN found USING (run_id, answer_id)
    LEFT JOIN claimed USING (run_id, answer_id)
),

impossible AS (
    SELECT check_name, run_id, answer_id::VARCHAR AS answer_id
    FROM of_verdicts
    WHERE check_name IS NOT NULL

    UNION ALL
    SELECT 'answer_graded_twice', run_id, answer_id::VARCHAR
    FROM verdicts
    GROUP BY run_id, answer_id
    HAVING count(*) > 1

    UNION ALL
    SELECT 'row_graded_and_rejected', run_id, answer_id::VARCHAR
    FROM verdicts
    SEMI JOIN rejects USING (run_id, source_file, source_row)

    UNION ALL
    SELECT 'finding_or_claim_without_verdict', run_id, answer_id::VARCHAR
    FROM (SELECT run_id, answer_id FROM found UNION SELECT run_id, answer_id FROM claimed)
    ANTI JOIN verdicts USING (run_id, answer_id)

    UNION ALL
    SELECT 'finding_outside_its_answer', run_id, answer_id::VARCHAR
    FROM findings
    WHERE "start" < 0 OR "end" <= "start" OR len("text") <> "end" - "start"

    UNION ALL
    SELECT 'cause_disagrees_with_causes', run_id, answer_id::VARCHAR
    FROM findings
    WHERE cause IS DISTINCT FROM causes[1]
        OR (cause IS NOT NULL AND kind NOT IN ('ungrounded_number', 'invalid_citation'))

    UNION ALL
    SELECT 'rows_lost', run_id, NULL
    FROM runs
    WHERE read <> graded + rejected

    UNION ALL
    SELECT 'rows_disagree_with_manifest', runs.run_id, NULL
    FROM runs
    LEFT JOIN graded USING (run_id)
    LEFT JOIN rejected USING (run_id)
    WHERE runs.graded <> coalesce(graded.n, 0) OR runs.rejected <> coalesce(rejected.n, 0)
)

SELECT *
FROM impossible
ORDER BY check_name, run_id, answer_id
