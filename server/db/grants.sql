-- The privileges of the roles of deploy/roles.sql, granted again after every schema change (docs/operations.md, "Roles").
-- Unless it is listed here, the server may read and insert into a table and no more; grants.pg.test.ts compares the lists
-- with the statements in the code.
do $$
declare
  -- The owner writes their rows.
  given text[] := '{
    funds.payout_switch, http.readiness, income.period_rule, income.reward_desk, ledger.account_class, ledger.flow,
    public.backup, public.migration, solvency.turn, team.count_horizon, trading.hedge, trading.hedge_fill, trading.hedge_order,
    trading.statement, trading.venue}';
  changed text[] := '{
    approvals.proposal, funds.deposit, funds.gateway_entry, funds.gateway_finding, funds.gateway_holding,
    funds.gateway_statement, funds.invoice, funds.invoice_event, funds.invoice_payment, funds.payout_address,
    funds.payout_look, funds.payout_switch, funds.sandbox_payout, funds.withdrawal, funds.withdrawal_day,
    http.readiness, identity.adopted_sign_in, identity.attempt, identity.auth_session, identity.device_token,
    identity.email_request, identity.former_email, identity.legal_confirmation, identity.member, identity.opening,
    identity.operator,
    identity.operator_invitation, identity.otp, identity.own_limit, identity.passkey, identity.reset_request,
    identity.sign_in_challenge, identity.stranger_failure, identity.totp, income.bonus_block, income.bonus_run,
    income.period_block, income.period_run, income.reward, income.reward_desk, income.standing, integrity.alarm,
    integrity.run, jobs.health, ledger.account, ledger.flow_total, market.asset, market.candle, market.clock,
    market.mark, market.spread_change, notify.announcement, notify.mail, notify.mail_preference,
    notify.notification, notify.recipient, operator.member_reading, solvency.anchor_delivery, support.canned_reply,
    support.ticket, team.count_horizon, team.level_count, trading.asset_limit, trading.batch, trading.closing_sale,
    trading.coin_sale, trading.daily_result, trading.depth, trading.exposure, trading.follower, trading.halt,
    trading.holding, trading.lifetime_result, trading.plan, trading.session, trading.statement,
    trading.statement_finding, trading.trade, trading.venue}';
  -- Locked as a whole, which needs the right to change it.
  locked text[] := '{solvency.turn}';
  deleted text[] := '{
    funds.payout_address, funds.payout_look, funds.withdrawal_freeze, http.idempotency, http.room, identity.attempt,
    identity.auth_session, identity.device_token, identity.former_email, identity.known_device,
    identity.legal_confirmation,
    identity.operator_invitation, identity.otp, identity.own_limit, identity.passkey, identity.passkey_challenge,
    identity.recovery_code, identity.reset_request, identity.reset_token, identity.server_key,
    identity.sign_in_challenge, identity.stop_link, identity.stranger_failure, identity.totp, integrity.alarm,
    jobs.health, jobs.request, live.event, market.candle, market.tick, notify.announcement_dismissal, notify.mail,
    notify.mail_preference, notify.notification, notify.recipient, solvency.snapshot_request, support.canned_reply,
    team.search_word, trading.high_water}';
  -- What metrics read: all of a table (null), or only the columns named.
  read jsonb := '{
    "approvals.proposal": "kind, state", "funds.payout_switch": null,
    "funds.deposit": "state, updated_at, booked_micros, credited_micros, refunded_micros",
    "funds.gateway_finding": "state, found_at", "funds.withdrawal": "state, amount_micros, fee_micros, created_at",
    "income.reward": "state, nominal, claimed_at", "integrity.alarm": null, "integrity.finding": null, "integrity.run": null,
    "jobs.health": null, "jobs.request": null, "ledger.checkpoint": null, "ledger.account_class": null,
    "ledger.flow_total": null, "ledger.seal": null, "market.clock": null, "market.asset": null, "market.mark": null,
    "ledger.transfer": "id, from_account, to_account, amount, tx, reverses, reason, created_at, market_at",
    "notify.mail": "id, state, created_at, deferrals, failed_at", "solvency.report": null, "support.ticket": "state, assigned_to, waiting_since",
    "public.backup": null, "trading.batch": "state, open_ids", "trading.closing_sale": null, "trading.exposure": null, "trading.fee_plan": "id, trade_fee_bps",
    "trading.halt": null, "trading.holding": null, "trading.session": null, "trading.statement_finding": null,
    "trading.trade": "id, symbol, state, amount, sold_coins, sold_dollars", "trading.venue": null}';
  one record;
begin
  -- Another database of the same cluster may have nothing to do with these roles.
  if not exists (
    select from pg_database d join pg_roles r on r.oid = d.datdba
    where d.datname = current_database() and r.rolname = 'tradewind_owner') then
    return;
  end if;
  perform pg_advisory_xact_lock(7301010);
  -- Schemas of tests or of an operator's own are left alone.
  for one in
    select nspname as name from pg_namespace
    where nspname !~ '^pg_(temp|toast|catalog)' and nspname <> 'information_schema'
      and pg_has_role('tradewind_owner', nspowner, 'member')
    order by nspname
  loop
    execute format('revoke all on schema %I from public, tradewind_app, tradewind_reader', one.name);
    execute format('revoke all on all tables in schema %I from public, tradewind_app, tradewind_reader', one.name);
    execute format('revoke all on all sequences in schema %I from public, tradewind_app, tradewind_reader', one.name);
    execute format('revoke all on all routines in schema %I from public, tradewind_app, tradewind_reader', one.name);
    execute format('grant usage on schema %I to tradewind_app', one.name);
    execute format('grant usage on all sequences in schema %I to tradewind_app', one.name);
    execute format('grant execute on all functions in schema %I to tradewind_app', one.name);
  end loop;
  for one in
    select c.oid::regclass as name, n.nspname || '.' || c.relname as known, n.nspname = 'pgboss' as is_queue
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname !~ '^pg_(temp|toast|catalog)' and n.nspname <> 'information_schema'
      -- A partition is reached through its table.
      and (not c.relispartition or n.nspname = 'pgboss')
      and c.relowner = 'tradewind_owner'::regrole
    order by 1
  loop
    execute format('grant select on %s to tradewind_app', one.name);
    if one.is_queue or one.known <> all (given) then
      execute format('grant insert on %s to tradewind_app', one.name);
    end if;
    if one.is_queue or one.known = any (changed || locked) then
      execute format('grant update on %s to tradewind_app', one.name);
    end if;
    if one.is_queue or one.known = any (deleted) then
      execute format('grant delete on %s to tradewind_app', one.name);
    end if;
  end loop;
  for one in
    select c.oid::regclass as name, nspname as place, r.value as columns
    from jsonb_each_text(read) r join pg_namespace n on n.nspname = split_part(r.key, '.', 1)
    join pg_class c on c.relnamespace = n.oid and c.relname = split_part(r.key, '.', 2)
    order by 1
  loop
    execute format('grant usage on schema %I to tradewind_reader', one.place);
    execute format('grant select %s on %s to tradewind_reader', '(' || one.columns || ')', one.name);
  end loop;
  for one in
    select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'ledger'::regnamespace and p.prokind = 'f' and p.proname ~ '^(flows_|house_balance|sealed_tx|first_transfer|transfer_ids)'
  loop
    execute format('grant execute on function %s to tradewind_reader', one.name);
  end loop;
end $$;
