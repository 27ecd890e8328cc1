-- Dollars that one coin of a confirmed payment is worth: the gateway's rate of the first look that found it confirmed, for a
-- late one at most that of the invoice. Written once, so that a payment is worth the same at every look.
create table funds.payment_rate (
  gateway    text not null,
  invoice_id text not null,
  payment_id text not null,
  rate       numeric not null constraint payment_rate_positive check (rate > 0),
  fixed_at   timestamptz not null,
  primary key (gateway, invoice_id, payment_id)
);
