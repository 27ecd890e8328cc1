-- What one transfer costs (docs/performance.md): a sixth of it was the question whether it may exist. The flows are looked for in
-- one text, because an array would be read and hashed anew in every transaction, and an account that cannot exist needs no question
-- of its own: `32 + class` stands for a member's account, the id itself for one of the house, and any other id is in no flow.
create or replace procedure ledger.compile_flow() language plpgsql as $compile$
begin
  execute format($function$
    create or replace function ledger.is_allowed(from_account bigint, to_account bigint, reason ledger.reason,
      from_balance_after bigint, to_balance_after bigint, reverses bigint) returns boolean
    language plpgsql immutable as $body$
    begin
      return (from_account < 32 or to_account < 32 or from_account >> 5 = to_account >> 5)
        and (from_account < 32) = (from_balance_after is null) and (to_account < 32) = (to_balance_after is null)
        and (reason = 'reversal') = (reverses is not null)
        -- Of a reversal, both accounts are those of the transfer that it reverses.
        and (reason = 'reversal' or strpos(%L, '|' || least(from_account, 32 + (from_account & 31)) || ' '
          || least(to_account, 32 + (to_account & 31)) || ' ' || reason || '|') > 0);
    end $body$ $function$,
    (select '|' || string_agg(format('%s %s %s', from_class + case when from_class <= 5 then 32 else 0 end,
      to_class + case when to_class <= 5 then 32 else 0 end, reason), '|' order by reason, from_class, to_class) || '|' from ledger.flow));
end $compile$;
call ledger.compile_flow();
