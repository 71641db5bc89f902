-- one value per count and total: the upper end of the 95 % interval of a rate, after Wilson
-- called as wilson_high(counted, total)
-- What is not counted is at least its own lower end.
1 - wilson_low(total - counted, total)
