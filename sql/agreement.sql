-- one row per job, policy, and whether over all or checked answers
-- How verdicts agree with what people say, over all labelled answers of a job. The columns are those
-- of confusion_by.
SELECT * EXCLUDE (value)
FROM confusion_by('job')
ORDER BY job, list_position(['strict', 'with_waivers', 'recommended'], policy), among
