import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tx } from '#server/db/connect.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { addTeam, insertSession } from '#test/worlds/settled-session.ts';
import { listTradeDecisions } from '../orders/get-trade.ts';
import { listTradeRows, storedStates } from '../orders/trade-sql.ts';
import { listDecisionsAt, listLastDecisions } from './decision-sql.ts';

/** A plan that held btc in each session of a year and a bit. */
const SESSIONS = 400;
const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:20:00Z'));
const [memberId] = await addTeam(context, [1n]);
const firstMs = Date.parse('2025-01-01T12:20:00Z');
const dayOf = (index: number) => new Date(firstMs + index * 86_400_000).toISOString().slice(0, 10);
const plan = {
  id: 1n,
  symbol: 'btc',
  strategy: 'session_hold',
  params: {},
  created_market_at: new Date(firstMs),
  redeemed_market_at: null,
} as const;

await inTransaction(context.db, async (tx) => {
  await sql`
    insert into trading.plan (id, member_id, symbol, strategy, params, wallet, amount, compounding, created_at, created_market_at)
    overriding system value
    values (1, ${memberId}, 'btc', 'session_hold', '{}', 'primary', 100000000, true, now(), ${plan.created_market_at})`.execute(
    tx,
  );
  for (let index = 0; index < SESSIONS; index += 1) await insertSession(tx, dayOf(index));
  await sql`
    insert into trading.trade (member_id, plan_id, compounding, symbol, wallet, amount, placed_at, requested_at, state, session_day, fee,
      opened_at, open_price, closed_at, close_price, close_reason, gross, performance_fee, result)
    select ${memberId}, 1, true, 'btc', 'investment', 100000000, now(), opens_at - interval '1 millisecond', 'settled', day, 400000,
      opens_at, 100, closes_at, 100, 'session_close', 0, 0, -400000
    from trading.session order by day`.execute(tx);
  await sql`
    insert into trading.decision (session_day, at, symbol, strategy, params, side, action, reason, facts)
    select day, opens_at, 'btc', 'session_hold', '{}', side, case side when 'entry' then 'enter' else 'wait' end, 'session_opens', '{}'
    from trading.session cross join (values ('entry'), ('exit')) as s(side)`.execute(tx);
});
await sql`analyze trading.trade`.execute(context.db);
await sql`analyze trading.decision`.execute(context.db);

/** Of the 1 200 decisions and trades. */
async function expectFewReads(work: (tx: Tx) => Promise<void>): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const read = () =>
      getValue(tx)<number>`
        select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int from pg_stat_xact_user_tables
        where schemaname = 'trading' and relname in ('decision', 'trade')`;
    const before = await read();
    await work(tx);
    expect((await read()) - before).toBeLessThan(60);
  });
}

test('the last decision of a plan is found without reading all its decisions and trades', () =>
  expectFewReads(async (tx) => {
    expect(await listLastDecisions(tx, plan, 1)).toMatchObject([{ session_day: dayOf(SESSIONS - 1), side: 'entry' }]);
  }));

test('the decisions behind a trade are found without reading all of its plan', () =>
  expectFewReads(async (tx) => {
    const id = await getValue(tx)<bigint>`select max(id) from trading.trade`;
    expect(await listTradeDecisions(tx, id)).toMatchObject([{ side: 'entry', reason: 'session_opens' }]);
  }));

test('the decisions of a boundary are found without reading those of others', () =>
  expectFewReads(async (tx) => {
    const at = new Date(`${dayOf(SESSIONS - 1)}T12:30:00Z`);
    expect(await listDecisionsAt(tx, [plan], at)).toMatchObject([{ side: 'entry' }, { side: 'exit' }]);
  }));

test('the first page of trades is read without those of other pages', () =>
  expectFewReads(async (tx) => {
    const rows = await listTradeRows(tx, { memberId: memberId as bigint, states: storedStates, limit: 26 });
    expect(rows).toHaveLength(26);
  }));

test('each session has one decision, the entry', async () => {
  const last = await listLastDecisions(context.db, plan, 100);
  expect(last.map(({ session_day: day, side }) => [day, side])).toEqual(
    Array.from({ length: 100 }, (_, index) => [dayOf(SESSIONS - 1 - index), 'entry']),
  );
});
