-- one row per job, fixture, question and fact that the question requires
-- How often an answer to the question lacks the fact: it makes no accepted claim of it. A question
-- that nobody answered has no rate.
WITH required AS (
    SELECT DISTINCT job, run_id, fixture_id, question_id, unnest(facts) AS fact_id
    FROM latest_truth_questions
),

answers AS (
    SELECT
        job,
        run_id,
        fixture_id,
        question_id,
        missing_facts AS lacks,
        coalesce(n_numbers + n_citations > 0, false) AS something_to_check
    FROM latest_verdicts
    WHERE missing_facts IS NOT NULL
),

counts AS (
    SELECT
        job,
        fixture_id,
        question_id,
        fact_id,
        count(lacks) AS answers,
        count(*) FILTER (list_contains(lacks, fact_id)) AS missing,
        count(*) FILTER (something_to_check) AS checked,
        count(*) FILTER (something_to_check AND list_contains(lacks, fact_id)) AS checked_missing
    FROM required
    LEFT JOIN answers USING (job, run_id, fixture_id, question_id)
    GROUP BY job, fixture_id, question_id, fact_id
)

SELECT
    job,
    fixture_id,
    question_id,
    fact_id,
    answers,
    missing,
    missing / nullif(answers, 0) AS missing_rate,
    checked,
    checked_missing,
    checked_missing / nullif(checked, 0) AS checked_missing_rate
FROM counts
ORDER BY job, fixture_id, question_id, fact_id
