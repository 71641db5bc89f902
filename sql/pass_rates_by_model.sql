-- one row per job, model and verdict
-- How often the answers of each model pass; null is an answer without a model. The columns are
-- those of pass_rates_by.
SELECT job, value AS model, * EXCLUDE (job, value)
FROM pass_rates_by('model')
ORDER BY job, model, verdict DESC
