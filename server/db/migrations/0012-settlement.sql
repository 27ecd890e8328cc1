-- Settlement in lanes, and what a session came to as one number (trading.session.manifest_hash, server/trading/core/manifest.ts).

-- Members are booked in blocks of 4096 ids. A block that has its row is booked: the row is written in the transaction that
-- does it, so that lanes and restarts book nobody twice. A session that was being booked before there were blocks goes on
-- after its booked_member_id; in all later ones that stays 0.
create table trading.booked_block (
  session_day date not null,
  no          int not null,
  -- sha256 of the sums of its members in this session; null when none of them traded.
  hash        bytea,
  primary key (session_day, no)
);

-- Booking reads one session of a range of members, however many sessions they have behind them.
create index daily_result_session on trading.daily_result (session_day, member_id);

-- Every session updates the row of each member who trades: room for the next version on its own page.
alter table trading.lifetime_result set (fillfactor = 80);
