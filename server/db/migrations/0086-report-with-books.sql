-- What the ledger had for the holder when it was asked: what is booked later counts with the report. Null in reports from before.
alter table solvency.report add column booked bigint;
