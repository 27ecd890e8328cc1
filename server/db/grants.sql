-- What each role of deploy/roles.sql may do, given again after every change of the schema (docs/operations.md, "Roles").
-- Whatever table is new, the server reads and adds to; everything else is listed here, and grants.pg.test.ts compares the
-- lists with the statements that there are.
do $$
declare
  -- The owner writes their rows.
  given text[] := '{
    funds.payout_switch, http.readiness, identity.email_request, income.reward_desk, ledger.account_class, ledger.flow,
    public.migration, solvency.turn, team.count_horizon, trading.venue}';
  changed text[] := '{
    approvals.proposal, funds.deposit, funds.invoice, funds.invoice_event, funds.invoice_payment, funds.payout_address,
    funds.payout_switch, funds.sandbox_payout, funds.withdrawal, funds.withdrawal_day, http.readiness, identity.adopted_sign_in,
    identity.attempt, identity.auth_session, identity.device_token, identity.email_request, identity.legal_confirmation,
    identity.member, identity.opening, identity.operator, identity.operator_invitation, identity.otp, identity.own_limit,
    identity.passkey, identity.reset_request, identity.sign_in_challenge, identity.stranger_failure, identity.totp,
    income.bonus_block, income.bonus_run, income.period_block, income.period_run, income.reward, income.reward_desk,
    income.standing, integrity.alarm, integrity.run, jobs.health, ledger.account, ledger.flow_total, market.asset,
    market.candle, market.clock, market.mark, market.spread_change, notify.announcement, notify.mail, notify.mail_preference,
    notify.notification, notify.recipient, operator.member_reading, solvency.anchor_delivery, support.canned_reply, support.ticket, team.count_horizon,
    team.level_count, trading.daily_result, trading.exposure, trading.follower, trading.halt, trading.hedge,
    trading.hedge_order, trading.lifetime_result, trading.plan, trading.session, trading.trade, trading.venue}';
  -- Locked as a whole, which needs the right to change it.
  locked text[] := '{solvency.turn}';
  deleted text[] := '{
    funds.payout_address, funds.withdrawal_freeze, http.idempotency, http.room, identity.attempt, identity.auth_session,
    identity.device_token, identity.known_device, identity.legal_confirmation, identity.operator_invitation, identity.otp,
    identity.own_limit, identity.passkey, identity.passkey_challenge, identity.recovery_code, identity.reset_request,
    identity.reset_token, identity.sign_in_challenge, identity.stop_link, identity.stranger_failure, identity.totp,
    integrity.alarm, jobs.health, jobs.request, live.event, market.candle, market.tick, notify.announcement_dismissal,
    notify.mail, notify.mail_preference, notify.notification, notify.recipient, support.canned_reply, team.search_word,
    trading.high_water}';
  -- What metrics read, of tables about people the columns alone.
  read text[] := '{}';
  one record;
begin
  -- Another database of the same cluster may have nothing to do with these roles.
  if not exists (
    select from pg_database d join pg_roles r on r.oid = d.datdba
    where d.datname = current_database() and r.rolname = 'tradewind_owner') then
    return;
  end if;
  perform pg_advisory_xact_lock(7301010);
  -- Those of a test or of an operator's own are left alone.
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
      -- A part of a table is reached through the whole.
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
end $$;
