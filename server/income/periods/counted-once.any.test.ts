import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getHouseBalance, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { killAtEveryQuery } from '#test/database/kill-at-every-query.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { closeMemberIncomes } from '../close-member.ts';
import { claimReward } from '../rewards/claim-reward.ts';
import { listRewards } from '../rewards/list-rewards.ts';
import { explainMonth, explainWeek } from './explain-period.ts';
import { listMonthly, listWeekly } from './list-periods.ts';
import { payDue } from './pay-due.ts';
import {
  dollars,
  even,
  findPeriod,
  monthLines,
  moveClock,
  periodWorlds,
  playDay,
  reachDay,
  read,
  readPeriodBooks,
  weekLines,
  writePlan,
} from './period-world.test-setup.ts';

const worlds = closeAfterAll(periodWorlds());
const open = (countedOnce: string | true = true) => worlds.open('2026-03-02', { countedOnce });
const WEEK = '2026-03-02';
const MONTH = '2026-03-01';

/** 2 with 3, 4 and 5; 3 with 6, 7 and 8; 6 with 9. Of all of them 2 and 3 have three directs. */
const team = [1n, 2n, 2n, 2n, 3n, 3n, 3n, 6n];
const allMembers = [2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n];

test('a week by hand: a contribution is split among qualifying ancestors, the cap applies to the fill, the rest is revenue', async () => {
  const context = await open();
  await addTeam(context, team);
  // Of 100 $ the fee is 0.40 $, and 0.04 $ of it go into the pool: 8 put in 0.32 $.
  await playDay(
    context,
    '2026-03-04',
    allMembers.map((id) => even(id, 100)),
  );
  const before = await getHouseBalance(context.db, 'fee_revenue');
  await reachDay(context, '2026-03-09');
  const cap = 32_000n;
  expect(await weekLines(context, WEEK)).toMatchObject([
    { member_id: 1n, reason: 'company', nominal: 0n, paid: 0n },
    // Contributions of 3, 4 and 5 count for 2 alone; those of 6, 7, 8 and 9 are split with 3.
    { member_id: 2n, reason: null, nominal: dollars(0.12 + 0.08), paid: cap },
    { member_id: 3n, reason: null, nominal: dollars(0.08), paid: cap },
    { member_id: 6n, reason: 'directs', nominal: 0n, paid: 0n },
  ]);
  expect(await findPeriod(context, 'weekly', WEEK)).toMatchObject({
    state: 'done',
    pool: dollars(0.32),
    carried: 0n,
    total: dollars(0.28).toString(),
    qualified: 2n,
    paid: 2n * cap,
  });
  expect(await getHouseBalance(context.db, 'pool_weekly')).toBe(0n);
  expect(await getHouseBalance(context.db, 'fee_revenue')).toBe(before + dollars(0.32) - 2n * cap);
  expect(
    await read(context, sql`select key, amount, reference from ledger.transfer where reason = 'pool_release'`),
  ).toEqual([{ key: `weekly/${WEEK}/release`, amount: dollars(0.32) - 2n * cap, reference: `week ${WEEK}` }]);
  expect(await explainWeek(context, 2n, '20260302')).toMatchObject({
    line: {
      contributed: 0.2,
      qualifying_volume: null,
      nominal: 0.2,
      paid: 0.032,
      share: 10,
      coverage: 0.16,
      pool: 0.32,
    },
    filled: 0.32,
    carried: 0,
    cap: 10,
    capped: true,
    transfers: [{ from: 'pool_weekly', to: 'profit', amount: 0.032 }],
  });
  expect((await listWeekly(context, 6n, { limit: 1 })).items).toMatchObject([
    { contributed: 0, paid: 0, reason: 'directs' },
  ]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('a week of two plans by hand, in amounts that do not divide: each session fills by its own, the later one’s rules pay', async () => {
  const context = await open();
  await addTeam(context, team);
  const odd = 5.000001;
  // Fees of 133 333, 400 000 and 20 000 micros fill 55 333: put in by 6 13 333, by 9 39 999, by 7 1 999.
  await playDay(context, '2026-03-04', [even(6n, 33.333333), even(9n, 100.000001), even(7n, odd)]);
  const terms = { trade_fee_bps: 37, weekly_bps: 777, weekly_min_directs: 2, weekly_cap_bps: 5000 };
  // Four fees of 18 500 fill 5 749: 1 437 each.
  const traders = [2n, 3n, 4n, 7n].map((id) => even(id, odd));
  await playDay(context, '2026-03-06', traders, await writePlan(context, terms));
  await reachDay(context, '2026-03-09');
  const cap = 30_541n;
  // Half of 7's 3 436 in the week, of 6's and of 9's, for 2 and 3 alike; 3's and 4's are for 2 alone.
  const halves = 1718n + 6666n + 19_999n;
  expect(await weekLines(context, WEEK)).toMatchObject([
    { member_id: 1n, reason: 'company' },
    { member_id: 2n, reason: null, active_directs: 2n, nominal: halves + 1437n + 1437n, paid: cap },
    { member_id: 3n, reason: null, active_directs: 2n, nominal: halves, paid: halves },
    { member_id: 6n, reason: 'directs', active_directs: 1n, paid: 0n },
  ]);
  const fill = 55_333n + 5749n;
  expect(await findPeriod(context, 'weekly', WEEK)).toMatchObject({ pool: fill, paid: cap + halves });
  expect(await read(context, sql`select amount from ledger.transfer where reason = 'pool_release'`)).toEqual([
    { amount: fill - cap - halves },
  ]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

/** 2 with 3 and 4, each with two directs of their own, all of whom trade on a day of March; 9, beside them, does not. */
async function playRanks(context: Context): Promise<void> {
  await addTeam(context, [1n, 2n, 2n, 3n, 3n, 4n, 4n, 1n]);
  await playDay(context, '2026-03-04', [
    ...[2n, 3n, 4n].map((id) => even(id, 10)),
    ...[5n, 7n].map((id) => even(id, 15_000)),
    ...[6n, 8n].map((id) => even(id, 2000)),
  ]);
}

test('the coverages shown are those of the last three months that paid', async () => {
  const context = await open();
  await playRanks(context);
  for (const month of ['04', '05', '06'])
    await playDay(context, `2026-${month}-03`, [
      ...[2n, 3n, 4n].map((id) => even(id, 10)),
      even(7n, 5000),
      even(8n, 2000),
    ]);
  await reachDay(context, '2026-07-01');
  const { coverages } = await listMonthly(context, 4n, { limit: 1 });
  expect(coverages.map(({ period }) => period)).toEqual(['2026-06', '2026-05', '2026-04']);
});

test('a month by hand: up to what the rank gives, never more than was contributed; of several new ranks the highest alone', async () => {
  const context = await open();
  await playRanks(context);
  await reachDay(context, '2026-04-01');
  // 34 030 $ fill the pool with 13.612 $. 3 and 4 are Bronze (3 000 + 2 000), 2 is Silver (2 × 15 000).
  const lines = await monthLines(context, MONTH);
  expect(lines).toMatchObject([
    { member_id: 1n, reason: 'company', contributed: 0n },
    { member_id: 2n, rank: 2, contributed: dollars(6.8 + 0.008), nominal: dollars(10), paid: dollars(6.808) },
    { member_id: 3n, rank: 1, contributed: dollars(3.4), nominal: dollars(2), paid: dollars(2) },
    { member_id: 4n, rank: 1, contributed: dollars(3.4), nominal: dollars(2), paid: dollars(2) },
  ]);
  expect(await findPeriod(context, 'monthly', MONTH)).toMatchObject({
    pool: dollars(13.612),
    total: dollars(14).toString(),
    qualified: 3n,
    paid: dollars(10.808),
  });
  expect(await getHouseBalance(context.db, 'pool_monthly')).toBe(0n);
  const rewards = sql`select member_id, rank, month::text, nominal from income.reward order by member_id, rank`;
  // Half of what the rewards pool got: 3.404 $ and 1.70 $.
  expect(await read(context, rewards)).toEqual([
    { member_id: 2n, rank: 2, month: MONTH, nominal: dollars(3.404) },
    { member_id: 3n, rank: 1, month: MONTH, nominal: dollars(1) },
    { member_id: 4n, rank: 1, month: MONTH, nominal: dollars(1) },
  ]);
  expect(await explainMonth(context, 2n, '20260301')).toMatchObject({
    line: { rank: 'silver', contributed: 6.808, nominal: 10, paid: 6.808, scale: 1, coverage: 0.6808 },
    up_to: 10,
    contributed: 6.808,
    pool: 13.612,
    total: 14,
  });
  expect((await listMonthly(context, 3n, { limit: 1 })).coverages).toEqual([
    { period: '2026-03', coverage: 10.808 / 14 },
  ]);
  expect((await listRewards(context, 2n)).ranks.slice(0, 3)).toMatchObject([
    { rank: 'bronze', state: 'passed', contributed: null },
    { rank: 'silver', state: 'claimable', reward: 3.404, contributed: 3.404 },
    { rank: 'gold', state: 'locked' },
  ]);
  expect((await listRewards(context, 3n)).ranks[0]).toMatchObject({ state: 'claimable', reward: 1, contributed: 1.7 });
  await expect(claimReward(context, 2n, { rank: 'bronze' })).rejects.toMatchObject({ code: 'reward_not_claimable' });
  // 2 reached a higher rank, so Bronze is not rewarded again; without a new rank, 2 gets no part of 5's contribution.
  await playDay(context, '2026-04-03', [
    ...[2n, 4n].map((id) => even(id, 10)),
    ...[5n, 6n].map((id) => even(id, 4000)),
    ...[7n, 8n].map((id) => even(id, 9000)),
    even(9n, 15_000),
  ]);
  await reachDay(context, '2026-05-01');
  // The company reached Silver. 3 traded 30 days before the session: a day too early.
  const ranked = [{ rank: 2, reason: 'company' }, { rank: 1 }, { rank: 1, reason: 'inactive' }, { rank: 1 }];
  expect(await monthLines(context, '2026-04-01')).toMatchObject(ranked);
  expect(await read(context, rewards)).toHaveLength(3);
  expect(
    await read(
      context,
      sql`select count(*)::int as n from income.contribution where starts_on = '2026-04-01' and 0 < any (reward_contributed)`,
    ),
  ).toEqual([{ n: 0 }]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('who has closed the account takes no part of a month, nor of its rewards, from those who stay', async () => {
  const context = await open();
  await playRanks(context);
  await inTransaction(context.db, (tx) => closeMemberIncomes(tx, 3n));
  await reachDay(context, '2026-04-01');
  // What 5 and 6 put in counts for 2 alone, what 7 and 8 did is split with 4.
  expect(await monthLines(context, MONTH)).toMatchObject([
    { member_id: 1n, reason: 'company' },
    { member_id: 2n, contributed: dollars(6.8 + 3.4 + 0.008), paid: dollars(10) },
    { member_id: 3n, rank: 1, reason: 'closed', contributed: 0n, paid: 0n },
    { member_id: 4n, contributed: dollars(3.4), paid: dollars(2) },
  ]);
  expect(await read(context, sql`select member_id, nominal from income.reward order by member_id`)).toEqual([
    // Of the 5.104 $ put in for 2, what Silver gives.
    { member_id: 2n, nominal: dollars(5) },
    { member_id: 4n, nominal: dollars(1) },
  ]);
});

test('a week under way keeps its rule and its pool; the next one counts once and releases what was left', async () => {
  const context = await open('2026-03-09');
  await addTeam(context, team);
  const trades = allMembers.map((id) => even(id, 100));
  await playDay(context, '2026-03-04', trades);
  await playDay(context, '2026-03-11', trades);
  await reachDay(context, '2026-03-16');
  const rule = (day: string) =>
    read(context, sql`select rule::int, released from income.period_run where starts_on = ${day}::date`);
  // The cap of the first week leaves four fifths of it.
  expect(await rule(WEEK)).toEqual([{ rule: 1, released: 0n }]);
  expect(await findPeriod(context, 'weekly', '2026-03-09')).toMatchObject({
    pool: dollars(0.32 + 0.256),
    carried: dollars(0.256),
    paid: dollars(0.064),
  });
  expect(await rule('2026-03-09')).toEqual([{ rule: 2, released: dollars(0.512) }]);
  expect(await getHouseBalance(context.db, 'pool_weekly')).toBe(0n);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('killed at every query, a week and a month of two chunks of traders come to what they come to undisturbed', {
  timeout: 600_000,
}, async () => {
  const play = async (pay: typeof payDue) => {
    const context = await open();
    await addTeam(context, team);
    await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), 70000)`.execute(context.db);
    const traders = [...allMembers, ...(await addTeam(context, [3n, 6n, 6n, 7n]))];
    await playDay(
      context,
      '2026-03-25',
      traders.map((id) => even(id, 1000)),
    );
    await playDay(
      context,
      '2026-03-30',
      traders.map((id) => even(id, 2500)),
    );
    await moveClock(context, '2026-04-06T00:00:00Z');
    await pay(context);
    return {
      ...(await readPeriodBooks(context)),
      parts: await read(
        context,
        sql`
          select c.kind, c.starts_on::text as "startsOn", chunk, part.*
          from income.contribution c cross join lateral unnest(contributors, contributed, reward_contributed) as part(member_id, part, reward_part)
          order by kind, starts_on, chunk, member_id`,
      ),
      summing: await read(context, sql`select kind from income.period_run where flags is not null`),
    };
  };
  const undisturbed = await play(payDue);
  let deaths = 0;
  const disturbed = await play(async (context) => {
    deaths = await killAtEveryQuery(context, (mortal) => payDue(mortal));
  });
  expect(deaths).toBeGreaterThan(20);
  // 3 has a part of what 6, 7 and 8 put in, and of those who are in the second chunk.
  expect(undisturbed.parts.filter(({ kind, member_id }) => kind === 'monthly' && member_id === 3n)).toMatchObject([
    { chunk: 0 },
    { chunk: 1 },
  ]);
  expect(undisturbed.summing).toEqual([]);
  expect(disturbed).toEqual(undisturbed);
});
