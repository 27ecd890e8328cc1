import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { connectPostgres } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { workerCluster } from '#test/database/database.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { openTradingWorld, openWorldOfTest } from '#test/worlds/trading-world.ts';
import { cancelTrade, followMarket, placeTrade } from '../index.ts';
import { readSnapshot } from '../session/follow-market.ts';
import { cancelOverLimits } from './cancel-over-limits.ts';
import { limitsKind, proposeLimits } from './change-limits.ts';
import { updateLimits } from './limit-sql.ts';

const world = closeAfterAll(await openTradingWorld({ minutes: 400 }));
const { context, clock } = world;
const { db } = context;
const { name } = await getRow(db)<{ name: string }>`select current_database() as name`;
/** Other processes: each has groups, connections and conditions of its own. */
const others: Context[] = [1, 2].map(() => ({
  ...context,
  db: closeAfterAll(connectPostgres(workerCluster().url(name), { max: 10 })).db,
}));
const processes = [context, ...others];
const members = await Promise.all(
  Array.from({ length: 24 }, async (_, no) => (await world.member(`M${no}`, 1000)).memberId),
);

const place = (from: number, memberId: bigint, amount: number) =>
  placeTrade(processes[from % processes.length] as Context, memberId, {
    tradeId: 'btc',
    amount,
    wallet_type: 'primary',
  });
const micros = (dollars: number | null) => (dollars === null ? null : BigInt(dollars) * 1_000_000n);
async function setLimits(all: number | null, member: number | null, isAged: boolean) {
  await inTransaction(db, (tx) =>
    updateLimits(tx, 'btc', { tradeMicros: null, memberMicros: micros(member), allMicros: micros(all) }),
  );
  if (isAged) await sql`update trading.asset_limit set set_at = set_at - interval '1 minute'`.execute(db);
  clock.advance(1);
}
const taken = () =>
  getRow(db)<{ all: bigint; member: bigint }>`
    select coalesce(sum(amount), 0)::bigint as all, coalesce(max(own), 0)::bigint as member
    from (
      select amount, sum(amount) over (partition by member_id)::bigint as own from trading.trade where state in ('queued', 'open')) as live`;
async function cancelAll() {
  for (const memberId of members)
    for (const { id, state } of await world.trades(memberId))
      if (state === 'queued') await cancelTrade(context, memberId, BigInt(id));
}

test.each([true, false])(
  'members of several processes at once fill the limit of all exactly (limits that were set long ago: %s)',
  async (isAged) => {
    for (let round = 0; round < 5; round += 1) {
      await setLimits(100, null, isAged);
      const { refused } = await atOnce(members.map((memberId, from) => place(from, memberId, 10)));
      expect(refused).toEqual(Array(14).fill('over_asset_limit'));
      expect((await taken()).all).toBe(100_000_000n);
      await cancelAll();
    }
  },
);

test('while others cancel there is never more than the limit, and what they leave can be taken', async () => {
  await setLimits(100, null, true);
  for (let round = 0; round < 5; round += 1) {
    const placing = members.map(async (memberId, from) => {
      const { id } = await place(from, memberId, 10);
      if (from % 2 === 0) await cancelTrade(context, memberId, BigInt(id));
    });
    const { refused } = await atOnce(placing);
    expect(new Set(refused)).toEqual(new Set(['over_asset_limit']));
    expect((await taken()).all).toBeLessThanOrEqual(100_000_000n);
  }
  const left = (100_000_000n - (await taken()).all) / 1_000_000n;
  if (left > 0n) await place(1, members[0] as bigint, Number(left));
  await expect(place(2, members[1] as bigint, 5)).rejects.toMatchObject({ data: { still_possible: 0 } });
  await cancelAll();
});

test('one member from several processes at once never has more than their limit', async () => {
  const memberId = members[0] as bigint;
  for (let round = 0; round < 5; round += 1) {
    await setLimits(null, 50, true);
    const { refused } = await atOnce(times(12, (from) => place(from, memberId, 10)));
    expect(refused).toEqual(Array(7).fill('over_asset_limit'));
    expect((await taken()).member).toBe(50_000_000n);
    await cancelAll();
  }
});

test('of workers that cancel a plan’s trade over the limits at once one says that it skips the session', async () => {
  const own = await openWorldOfTest();
  const plans = await Promise.all(Array.from({ length: 6 }, async (_, no) => (await own.member(`P${no}`)).memberId));
  for (const memberId of plans) await own.createPlan({}, memberId);
  // The exchange is away: what the plans placed at the opening waits.
  const away: Context = { ...own.context, config: { ...own.context.config, venue: 'ccxt' } };
  await own.play('12:31:00', () => followMarket(away));
  await inTransaction(away.db, (tx) =>
    updateLimits(tx, 'btc', { tradeMicros: null, memberMicros: null, allMicros: micros(50) }),
  );
  const moment = await readSnapshot(away, 1);
  await Promise.all(Array.from({ length: 4 }, () => cancelOverLimits(away, moment)));
  const told = await getRow(away.db)<object>`
    select (select count(*)::int from trading.trade where cancel_reason = 'over_asset_limit') as cancelled,
      (select count(*)::int from trading.plan_event where kind = 'skipped') as noted,
      (select count(*)::int from notify.notification where kind = 'plan_skipped') as told`;
  expect(told).toEqual({ cancelled: plans.length, noted: plans.length, told: plans.length });
});

test('placing, opening, lowered limits and plans at once: no deadlock, and nothing above the limits opens', async () => {
  await setLimits(300, 60, true);
  for (const memberId of members.slice(0, 8)) await world.createPlan({ amount: 30 }, memberId);
  const { refused } = await atOnce([
    ...members.map((memberId, from) => place(from, memberId, 20)),
    world.play('12:29:50', () => Promise.all(processes.map((one) => followMarket(one)))),
  ]);
  expect(refused.filter((code) => code !== 'over_asset_limit')).toEqual([]);
  const rivals = await atOnce([
    world.play('12:31:00', () => Promise.all(processes.map((one) => followMarket(one)))),
    setLimits(200, 60, true),
    ...members.map((memberId, from) => place(from, memberId, 20)),
  ]);
  expect(rivals.refused.filter((code) => code !== 'over_asset_limit')).toEqual([]);
  expect((await taken()).member).toBeLessThanOrEqual(60_000_000n);
  expect((await taken()).all).toBeLessThanOrEqual(300_000_000n);
  expect(await verifyLedger(db)).toEqual([]);
});

test('of two limits proposed for the same version and approved at once one takes effect', async () => {
  const proposer = await makeOperator(context, 'finance');
  const approvals: (() => Promise<unknown>)[] = [];
  for (const all of [100, 200]) {
    const limits = { symbol: 'doge', version: 1, trade: null, member: null, all, reason: 'A thin book.' };
    const { id } = await proposeLimits(context, actorOf(proposer), limits);
    const approver = await makeOperator(context, 'finance');
    const decision = { id: BigInt(id), version: 1, otp: await approver.code() };
    approvals.push(() => approveProposal(context, limitsKind, actorOf(approver), decision));
  }
  const approved = await inTransaction(db, async (tx) => {
    await sql`select 1 from trading.asset_limit where symbol = 'doge' for update`.execute(tx);
    const ends = atOnce(approvals.map((approve) => approve()));
    await waitFor(async () => (await countLockWaits(db)) > 1, 'both wait for the limits', 5_000);
    return { ends };
  });
  const { done, refused } = await approved.ends;
  expect([done.length, refused]).toEqual([1, ['limits_changed']]);
});
