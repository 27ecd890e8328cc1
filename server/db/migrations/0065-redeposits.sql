-- Payments to the address of an invoice after its first one, as signed events told of them: NOWPayments gives each a
-- number of its own. Which of them count is asked of the gateway.
create table funds.redeposit (
  gateway    text not null,
  payment_id text not null,
  invoice_id text not null,
  told_at    timestamptz not null,
  primary key (gateway, payment_id)
);
create index redeposit_of_invoice on funds.redeposit (gateway, invoice_id);
