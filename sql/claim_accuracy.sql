-- one row per job, fixture and fact that the truth table holds or an answer asserted
-- How often a fact was `needed` (by the question of a graded answer), `asserted` and `correct` (an
-- accepted value), and the share of assertions that is. Facts never asserted have no accuracy; a
-- fact that is not `known` was invented.
WITH events AS (
    SELECT job, fixture_id, fact_id, 'known' AS event
    FROM latest_truth_facts

    UNION ALL
    SELECT job, fixture_id, fact_id, 'asserted'
    FROM latest_claims

    UNION ALL
    SELECT job, fixture_id, fact_id, 'correct'
    FROM latest_claims
    WHERE supported

    UNION ALL
    SELECT answer.job, answer.fixture_id, unnest(question.facts), 'needed'
    FROM latest_verdicts AS answer
    JOIN latest_truth_questions AS question USING (job, run_id, fixture_id, question_id)
    WHERE answer.response_evidence_valid IS NOT NULL
),

counts AS (
    SELECT
        job,
        fixture_id,
        fact_id,
        count(*) FILTER (event = 'known') > 0 AS known,
        count(*) FILTER (event = 'needed') AS needed,
        count(*) FILTER (event = 'asserted') AS asserted,
        count(*) FILTER (event = 'correct') AS correct
    FROM events
    GROUP BY job, fixture_id, fact_id
)

SELECT *, correct / nullif(asserted, 0) AS accuracy
FROM counts
ORDER BY job, fixture_id, fact_id
