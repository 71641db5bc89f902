-- one row per job, source file, policy, and whether over all or checked answers
-- How verdicts agree with what people say, of each labelled set. The columns are those of
-- confusion_by.
SELECT job, value AS source_file, * EXCLUDE (job, value)
FROM confusion_by('source_file')
ORDER BY
    job,
    source_file,
    list_position(['strict', 'with_waivers', 'recommended'], policy),
    among
