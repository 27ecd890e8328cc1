-- What one transfer costs (docs/performance.md).

-- PostgreSQL reads the expressions of generated columns anew for every statement that updates a row, also where they cannot
-- change: two thirds of what moving a balance took. A trigger makes the same columns once, when the account is opened, and
-- another one refuses to change them or the id they follow from.
alter table ledger.account alter column member_id drop expression, alter column class drop expression;

create function ledger.name_account() returns trigger language plpgsql as $$
begin
  new.member_id := case when new.id >= 32 then new.id >> 5 end;
  -- Null, and thereby refused, for an id that is not a member's.
  new.class := case when (new.id & 31) between 1 and 5 then new.id & 31 end;
  return new;
end $$;
create trigger account_named before insert on ledger.account for each row execute function ledger.name_account();
alter table ledger.account enable always trigger account_named;
create trigger account_keeps_name before update of id, member_id, class on ledger.account
  for each statement execute function ledger.refuse_change();

-- Whatever does not go the short way: a known key, too little money, an account that does not exist.
alter function ledger.post_one(ledger.draft) rename to post_one_or_refuse;

-- One transfer, the short way: each balance is moved where it is found, the lower id first, without a lock of its own before.
-- What cannot go through is taken back and goes the long way, which looks at everything again under its locks. Few
-- expressions, because each is made ready anew in every transaction; and no setting of its own, for one row by its key is found
-- by the index whatever the statistics say, unless the table is a page.
create function ledger.post_one(draft ledger.draft) returns ledger.posted
language plpgsql as $$
#variable_conflict use_variable
declare
  from_after bigint;
  to_after   bigint;
  result     ledger.posted;
begin
  if draft.to_account < 32 then
    update ledger.account a set balance = a.balance - draft.amount where a.id = draft.from_account and a.balance >= draft.amount
    returning a.balance into from_after;
  elsif draft.from_account < draft.to_account then
    if draft.from_account >= 32 then
      update ledger.account a set balance = a.balance - draft.amount where a.id = draft.from_account and a.balance >= draft.amount
      returning a.balance into from_after;
    end if;
    if from_after is not null or draft.from_account < 32 then
      update ledger.account a set balance = a.balance + draft.amount where a.id = draft.to_account returning a.balance into to_after;
    end if;
  else
    update ledger.account a set balance = a.balance + draft.amount where a.id = draft.to_account returning a.balance into to_after;
    if found then
      update ledger.account a set balance = a.balance - draft.amount where a.id = draft.from_account and a.balance >= draft.amount
      returning a.balance into from_after;
    end if;
  end if;
  if (from_after is null) = (draft.from_account < 32) and (to_after is null) = (draft.to_account < 32) then
    -- After the locks, so that within one account neither the clock nor the ids go back.
    insert into ledger.transfer as t (id, from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx,
      market_at, created_at, reason, key, reference, note, hash)
    overriding system value
    select new.id, draft.from_account, draft.to_account, draft.amount, from_after, to_after, draft.reverses, new.tx,
      draft.market_at, new.created_at, draft.reason, draft.key, draft.reference, draft.note,
      ledger.transfer_hash(new.id, draft.from_account, draft.to_account, draft.amount, from_after, to_after, draft.reverses, new.tx,
        draft.market_at, new.created_at, draft.reason, draft.key, draft.reference, draft.note)
    from (
      select nextval('ledger.transfer_id_seq') as id, clock_timestamp() as created_at, pg_current_xact_id()::text::bigint as tx
      offset 0) as new
    on conflict (key) do nothing
    returning t.id, t.key, t.from_balance_after, t.to_balance_after into result;
    if found then return result; end if;
  end if;

  update ledger.account a
  set balance = case a.id when draft.from_account then a.balance + draft.amount else a.balance - draft.amount end
  where (a.id = draft.from_account and from_after is not null) or (a.id = draft.to_account and to_after is not null);
  return ledger.post_one_or_refuse(draft);
end $$;
