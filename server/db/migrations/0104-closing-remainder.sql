-- Less than can be withdrawn is forfeited when an account is closed (docs/product.md, section 8).
insert into ledger.flow (from_class, to_class, reason, event)
select f.no, t.no, 'closing_remainder', 'an account is closed: what is left, less than can be withdrawn'
from ledger.account_class f, ledger.account_class t
where f.name in ('primary', 'profit') and t.name = 'adjustments';
call ledger.compile_flow();
