-- PostgreSQL uses no new value in the transaction that adds it: its flows follow in the next migration.
alter type ledger.reason add value 'pool_release' before 'withdrawal_hold';
