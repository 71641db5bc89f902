-- one row per cause that a job may waive
-- `recommended` are those that are worth waiving where answers are prose: none of them lets another
-- number pass than the evidence has.
SELECT cause, recommended
FROM (VALUES
    ('citation_syntax', true),
    ('list_marker', true),
    ('digit_script', true),
    ('zero_padding', false),
    ('split_in_evidence', true),
    ('number_word', false),
    ('in_question', false),
    ('identifier', false),
    ('precision', false),
    ('part_of_longer', false),
    ('derived', false)
) AS given (cause, recommended)
