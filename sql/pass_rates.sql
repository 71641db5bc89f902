-- one row per job and verdict
-- How often answers pass, over all answers and over those that had something to check. The
-- columns are those of pass_rates_by.
SELECT * EXCLUDE (value)
FROM pass_rates_by('job')
ORDER BY job, verdict DESC
