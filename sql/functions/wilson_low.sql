-- one value per count and total: the lower end of the 95 % interval of a rate, after Wilson
-- called as wilson_low(counted, total)
-- From integers alone; null where the total is zero. Unlike rate ± 2 errors it never leaves 0..1,
-- and says something where nothing or everything was counted. 1.96 is 1.959963984540054, squared
-- 3.841458820694124.
CASE
    WHEN total = 0 THEN NULL
    WHEN counted = 0 THEN 0.0::DOUBLE
    ELSE (
        counted + 1.920729410347062
        - 1.959963984540054
        * sqrt(counted::DOUBLE * (total - counted) / total + 0.960364705173531)
    ) / (total + 3.841458820694124)
END
