-- Limits that members set for themselves (product.md section 8). One row for each member who ever set one. A limit is
-- in force until its successor's time has come: whoever reads compares `…_next_at` with now, no job has to run.
create table identity.own_limit (
  member_id                bigint primary key constraint own_limit_member references identity.member,
  -- Null: no limit.
  deposit_week_micros      bigint constraint own_limit_deposit_week_positive check (deposit_week_micros > 0),
  -- What follows at `…_next_at`; null there means that the limit ends. Only loosening waits.
  deposit_week_next_micros bigint,
  deposit_week_next_at     timestamptz,
  loss_day_micros          bigint constraint own_limit_loss_day_positive check (loss_day_micros > 0),
  loss_day_next_micros     bigint,
  loss_day_next_at         timestamptz,
  -- No trading and no deposits before it; never moved back.
  paused_until             timestamptz,
  constraint own_limit_deposit_week_next_loosens check (
    case when deposit_week_next_at is null then deposit_week_next_micros is null
         else deposit_week_micros is not null and coalesce(deposit_week_next_micros > deposit_week_micros, true) end),
  constraint own_limit_loss_day_next_loosens check (
    case when loss_day_next_at is null then loss_day_next_micros is null
         else loss_day_micros is not null and coalesce(loss_day_next_micros > loss_day_micros, true) end)
);
create index own_limit_loss_day on identity.own_limit (member_id) where loss_day_micros is not null;
create index own_limit_paused_until on identity.own_limit (paused_until) where paused_until is not null;
