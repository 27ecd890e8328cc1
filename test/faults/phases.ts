import { sql } from 'kysely';
import { symbols } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { memberAccount, postFrom } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { queueTrades } from './simulated-users.ts';

/** The phases in which a server is killed. */
export const phaseNames = ['opening', 'settlement', 'tick', 'stops', 'plans', 'bonus', 'weekly', 'monthly'] as const;
export type Phase = (typeof phaseNames)[number];

type PhaseRules = {
  /** What members do before the session. */
  readonly prepare: (context: Context, members: number) => Promise<void>;
  readonly isInside: (db: Db) => Promise<boolean>;
  /** Whether the prepared work is complete; by default, whether the fees of its session are shared. */
  readonly isOver?: (db: Db) => Promise<boolean>;
};

const TRADES_EACH = 10;
const PLANS_EACH = 6;

const answer = async (db: Db, question: ReturnType<typeof sql<{ yes: boolean }>>): Promise<boolean> =>
  (await question.execute(db)).rows[0]?.yes === true;

const queued = (context: Context, members: number) => queueTrades(context, members, TRADES_EACH);

export const phases: Record<Phase, PhaseRules> = {
  opening: {
    prepare: queued,
    isInside: (db) =>
      answer(
        db,
        sql`select exists (select from trading.trade where state = 'queued') and exists (select from trading.trade where state = 'open') as yes`,
      ),
  },
  settlement: {
    prepare: queued,
    isInside: (db) =>
      answer(
        db,
        sql`select not exists (select from trading.trade where state = 'queued') and exists (select from trading.trade where state = 'open')
          and exists (select from trading.session where state = 'settling')
          and exists (select from trading.trade where state = 'settled' and session_day = (select max(session_day) from trading.trade)) as yes`,
      ),
  },
  // During an open session, while ticks are processed and stops wait to trigger.
  tick: {
    prepare: (context, members) => queueWithStops(context, members, 900),
    isInside: (db) =>
      answer(
        db,
        sql`select exists (select from trading.session s, trading.follower f where s.state = 'open' and f.followed_until > s.opens_at) as yes`,
      ),
  },
  // Some stops have triggered, and the trades they close are sold or wait for their tick.
  stops: {
    prepare: (context, members) => queueWithStops(context, members, 20),
    isInside: (db) =>
      answer(
        db,
        sql`select exists (select from trading.session where state = 'open') and exists (
          select from trading.trade where state = 'open' and close_cause in ('stop_loss', 'take_profit', 'trailing_stop')) as yes`,
      ),
  },
  // Some of the plans' next trades are placed, and some are not.
  plans: {
    prepare: createPlans,
    isInside: (db) =>
      answer(
        db,
        sql`select placed > 0 and placed < wanted as yes from (
          select (select count(*) from trading.plan where state = 'active' and strategy = 'session_hold') as wanted,
            (select count(*) from trading.trade where plan_id is not null and state in ('queued', 'open')) as placed) as counted
          where exists (select from trading.session where state = 'open')`,
      ),
  },
  // While levels are summed up, or members or pools are paid.
  bonus: {
    prepare: (context, members) => queueTrades(context, members, 2),
    isInside: (db) =>
      answer(
        db,
        sql`select exists (select from income.bonus_run where state <> 'done' and traded_members is distinct from 0) as yes`,
      ),
  },
  weekly: periodPhase('weekly'),
  monthly: periodPhase('monthly'),
};

/** The run for the last week or month in which the members traded. */
function periodPhase(kind: 'weekly' | 'monthly'): PhaseRules {
  const last = sql`(select max(session_day) from trading.daily_result)`;
  return {
    prepare: (context, members) => queueTrades(context, members, 2),
    isInside: (db) =>
      answer(db, sql`select exists (select from income.period_run where kind = ${kind} and state <> 'done') as yes`),
    isOver: async (db) =>
      (await isShared(db)) &&
      answer(
        db,
        sql`select exists (select from income.period_run where kind = ${kind} and state = 'done' and starts_on <= ${last} and ${last} < ends_on) as yes`,
      ),
  };
}

export const isOver = (db: Db, phase: Phase): Promise<boolean> => (phases[phase].isOver ?? isShared)(db);

/** The session of the last prepared trades is settled, and its fees are shared. */
const isShared = (db: Db): Promise<boolean> =>
  answer(
    db,
    sql`select not exists (select from trading.trade where state in ('queued', 'open')) and exists (
      select from trading.session s join income.bonus_run r on r.session_day = s.day
      where r.state = 'done' and s.closes_at > greatest(
        (select max(requested_at) from trading.trade where plan_id is null), (select max(market_at) from trading.plan_event))) as yes`,
  );

/** Trades with all three kinds of stops, at up to `most` tenths of a percent. */
async function queueWithStops(context: Context, members: number, most: number): Promise<void> {
  await queueTrades(context, members, 3);
  await sql`
    update trading.trade set
      stop_loss_permille = case when id % 3 = 0 then 1 + id * 31 % ${most}::int end,
      take_profit_permille = case when id % 3 = 1 then 1 + id * 17 % ${most}::int end,
      trailing_stop_permille = case when id % 3 = 2 then 1 + id * 13 % least(${most}::int, 500) end
    where state = 'queued'`.execute(context.db);
}

/** Created once: compounding and other plans, which trade in every session from then on. */
async function createPlans(context: Context, members: number): Promise<void> {
  const marketAt = await getMarketTime(context.db);
  await inTransaction(context.db, async (tx) => {
    const { rows } = await sql<{ first: bigint | null }>`
      with made as (
        insert into trading.plan (member_id, symbol, strategy, params, wallet, amount, compounding, trailing_stop_permille, created_at, created_market_at)
        select m.id, (${symbols as string[]}::text[])[1 + (m.id + n) % ${symbols.length}::int], 'session_hold', '{}', 'primary', 20000000 + (m.id * 137 + n * 7919) % 40000000,
          n % 2 = 0, case when n % 3 = 0 then 20 end, now(), ${marketAt}
        from generate_series(2, ${members + 1}::int) m(id), generate_series(1, ${PLANS_EACH}::int) n
        where not exists (select from trading.plan)
        returning id)
      select min(id) as first from made`.execute(tx);
    await sql`insert into trading.plan_event (plan_id, kind, at, market_at) select min(id), 'resumed', now(), ${marketAt} from trading.plan`.execute(
      tx,
    );
    if (rows[0]?.first == null) return;
    await postFrom(
      tx,
      sql`
        select 'plan/' || id || '/invest', ${memberAccount(sql`member_id`, 'primary')}, ${memberAccount(sql`member_id`, 'investment')}, amount,
          'plan_invest', 'plan ' || id, created_market_at, null::text from trading.plan order by id`,
    );
  });
}
