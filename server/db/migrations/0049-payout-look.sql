-- An operator is about to give money back and asks once more whether the gateway has the payout. Only the worker has the key
-- for that: it answers here. A row is gone once its answer was read.
create table funds.payout_look (
  id            bigint generated always as identity primary key,
  withdrawal_id bigint not null constraint payout_look_withdrawal references funds.withdrawal,
  asked_at      timestamptz not null,
  answer        text constraint payout_look_answer check (answer in ('missing', 'found', 'unavailable'))
);
