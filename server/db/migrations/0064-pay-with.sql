-- What the member chose to pay with: Bitcoin, or USDT on a network. Null where the gateway offers no choice, and on
-- deposits from before there was one.
alter table funds.deposit add column pay_with text
  constraint deposit_pay_with check (pay_with in ('TRC20', 'BEP20', 'ERC20', 'BTC'));
