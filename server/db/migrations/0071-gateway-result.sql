-- What the house gains and loses by what its gateways hold (docs/product.md, section 2).
insert into ledger.account_class (no, name, owner) values (18, 'gateway_result', 'house');

insert into ledger.flow (from_class, to_class, reason, event)
select f.no, t.no, flow.reason::ledger.reason, flow.event
from (values
  ('gateway_result', 'gateway', 'network_fee', 'a payout completes: what the network took beside the amount'),
  ('gateway', 'gateway_result', 'gateway_revaluation', 'the coins that the gateway holds are worth more than booked'),
  ('gateway_result', 'gateway', 'gateway_revaluation', 'they are worth less'),
  ('venue', 'gateway', 'gateway_conversion', 'treasury: coins of the gateway are sold at the venue: what arrived'),
  ('gateway', 'gateway_result', 'gateway_conversion', 'they brought more than they were booked at'),
  ('gateway_result', 'gateway', 'gateway_conversion', 'they brought less')
) as flow(from_name, to_name, reason, event)
join ledger.account_class f on f.name = flow.from_name
join ledger.account_class t on t.name = flow.to_name;
call ledger.compile_flow();
