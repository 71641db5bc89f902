-- one row per job, kind of token, and cause of refusal
-- Why numbers and citations were refused. The columns are those of causes_by.
SELECT * EXCLUDE (value)
FROM causes_by('job')
ORDER BY job, kind DESC, tokens DESC, cause
