-- PostgreSQL uses no new value in the transaction that adds it: its flows follow in the next migration.
alter type ledger.reason add value 'closing_remainder' before 'venue_fund';
