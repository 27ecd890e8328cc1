-- PostgreSQL uses no new value in the transaction that adds it: their flows follow in the next migration.
alter type ledger.reason add value 'network_fee' before 'correction';
alter type ledger.reason add value 'gateway_revaluation' before 'correction';
alter type ledger.reason add value 'gateway_conversion' before 'correction';
