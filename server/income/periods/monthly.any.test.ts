import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { getHouseBalance, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import {
  dollars,
  even,
  findPeriod,
  monthLines,
  periodWorlds,
  playDay,
  reachDay,
  read,
  writePlan,
} from './period-world.test-setup.ts';

const worlds = closeAfterAll(periodWorlds());

const open = () => worlds.open('2026-03-02');
const MONTH = '2026-03-01';

/** Each below the company with so many directs: of `[2, 1]` they are 2 with 3 and 4, and 5 with 6. */
async function addBranches(context: Context, directs: readonly number[]): Promise<void> {
  const sponsors: bigint[] = [];
  for (const count of directs) {
    const head = BigInt(sponsors.length) + 2n;
    sponsors.push(1n, ...Array<bigint>(count).fill(head));
  }
  await addTeam(context, sponsors);
}

const rewardRows = (context: Context) =>
  read(context, sql`select member_id, rank, month::text, nominal, state from income.reward order by member_id, rank`);

test('legs by hand: exactly 60 % and more, ranks by several legs, one micro too little, and the reasons for nothing', async () => {
  const context = await open();
  await addBranches(context, [2, 2, 2, 1, 5, 2]);
  await playDay(context, '2026-03-04', [
    // 2: legs of 3 000 $, exactly 60 % of Bronze, and 2 000 $.
    ...[even(2n, 1), even(3n, 3000), even(4n, 2000)],
    // 5: the leg of 4 000 $ counts 3 000 $.
    ...[even(5n, 1), even(6n, 4000), even(7n, 2000)],
    // 8: a micro under 5 000 $.
    ...[even(8n, 1), even(9n, 3000), even(10n, 1999.999999)],
    // 11: one leg is never enough.
    ...[even(11n, 1), even(12n, 50_000)],
    // 13: five legs of 5 000 $, Silver.
    ...[even(13n, 1), ...[14n, 15n, 16n, 17n, 18n].map((id) => even(id, 5000))],
    // 19 reached Bronze and is not active.
    ...[even(20n, 2500), even(21n, 2500)],
  ]);
  await reachDay(context, '2026-04-01');

  const bronze = { rank: 1, contributed: dollars(2) };
  expect(await monthLines(context, MONTH)).toMatchObject([
    { member_id: 1n, rank: 2, reason: 'company', nominal: 0n, paid: 0n },
    { ...bronze, member_id: 2n, team_volume: dollars(5000), volume: dollars(5000), paid: dollars(2), reason: null },
    { ...bronze, member_id: 5n, team_volume: dollars(6000), volume: dollars(5000), paid: dollars(2), reason: null },
    { member_id: 8n, rank: null, volume: dollars(4999.999999), contributed: 0n, paid: 0n, reason: 'rank' },
    { member_id: 11n, rank: null, team_volume: dollars(50_000), volume: dollars(3000), paid: 0n, reason: 'rank' },
    { member_id: 13n, rank: 2, volume: dollars(25_000), contributed: dollars(10), paid: dollars(10), reason: null },
    { ...bronze, member_id: 19n, volume: dollars(5000), nominal: 0n, paid: 0n, reason: 'inactive' },
  ]);
  expect(await findPeriod(context, 'monthly', MONTH)).toMatchObject({
    state: 'done',
    total: dollars(14).toString(),
    qualified: 3n,
    paid: dollars(14),
  });
  expect(
    await read(
      context,
      sql`select key, reference, market_at from ledger.transfer where reason = 'monthly_income' order by id limit 1`,
    ),
  ).toEqual([{ key: `monthly/${MONTH}/2`, reference: 'month 2026-03', market_at: new Date('2026-04-01') }]);
  // A reward takes the volume alone; Silver brings Bronze with it; the company gets none.
  const claimable = { month: MONTH, state: 'claimable' };
  expect(await rewardRows(context)).toEqual([
    { ...claimable, member_id: 2n, rank: 1, nominal: dollars(1) },
    { ...claimable, member_id: 5n, rank: 1, nominal: dollars(1) },
    { ...claimable, member_id: 13n, rank: 1, nominal: dollars(1) },
    { ...claimable, member_id: 13n, rank: 2, nominal: dollars(5) },
    { ...claimable, member_id: 19n, rank: 1, nominal: dollars(1) },
  ]);
  expect(
    await read(
      context,
      sql`select message from notify.notification where member_id in (13, 19)
        and kind in ('monthly_income', 'reward_claimable') order by id`,
    ),
  ).toEqual([
    { message: "Your team's volume of March 2026 reached Bronze. Its reward can be claimed." },
    { message: "Your team's volume of March 2026 reached Silver. Its reward can be claimed." },
    { message: "Your team's volume of March 2026 reached Bronze. Its reward can be claimed." },
    { message: 'March 2026: $10.00 from the monthly pool, rank Silver.' },
  ]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

/** 2 has 3 and 4; 3 has 5 and 6, 4 has 7 and 8: three times Bronze out of one volume of 10 000 $. */
async function playShortMonth(context: Context, day: string, planId = 1): Promise<void> {
  await playDay(
    context,
    day,
    [
      even(2n, 10),
      even(3n, 10),
      even(4n, 10),
      ...[5n, 7n].map((id) => even(id, 3000)),
      ...[6n, 8n].map((id) => even(id, 2000)),
    ],
    planId,
  );
}
const addShortTeam = (context: Context) => addTeam(context, [1n, 2n, 2n, 3n, 3n, 4n, 4n]);

test('a short pool scales all by the same factor, and what rounding leaves is there for the next month', async () => {
  const context = await open();
  await addShortTeam(context);
  await playShortMonth(context, '2026-03-04');
  await reachDay(context, '2026-04-01');
  // 10 030 $ brought 4.012 $, and three times 2 $ are due: 2 $ × 4.012 ÷ 6 each.
  expect(await monthLines(context, MONTH)).toMatchObject([
    { member_id: 1n, reason: 'company' },
    ...[2n, 3n, 4n].map((member_id) => ({ member_id, rank: 1, nominal: dollars(2), paid: 1_337_333n, reason: null })),
  ]);
  expect(await findPeriod(context, 'monthly', MONTH)).toMatchObject({
    pool: dollars(4.012),
    carried: 0n,
    total: dollars(6).toString(),
    paid: 4_011_999n,
  });
  await playDay(context, '2026-04-02', [even(5n, 100)]);
  await reachDay(context, '2026-05-01');
  expect(await findPeriod(context, 'monthly', '2026-04-01')).toMatchObject({ pool: 40_001n, carried: 1n, paid: 0n });
  expect(await getHouseBalance(context.db, 'pool_monthly')).toBe(40_001n);
});

test("nobody gets more than the contribution of the rank's volume: with half the fee, half the income and half the reward", async () => {
  const context = await open();
  await addBranches(context, [2]);
  const planId = await writePlan(context, { trade_fee_bps: 20 });
  await playDay(context, '2026-03-04', [even(2n, 1), even(3n, 10_000), even(4n, 10_000)], planId);
  await reachDay(context, '2026-04-01');
  // The fees of 20 000 $ put 4 $ into the pool; those of the 5 000 $ that Bronze takes, 1 $.
  expect(await monthLines(context, MONTH)).toContainEqual({
    member_id: 2n,
    rank: 1,
    team_volume: dollars(20_000),
    volume: dollars(6000),
    contributed: dollars(1),
    nominal: dollars(1),
    paid: dollars(1),
    reason: null,
  });
  expect(await rewardRows(context)).toMatchObject([{ member_id: 2n, rank: 1, nominal: dollars(0.5) }]);
});

test('volume and ranks begin anew each month; a reward is there once in a lifetime', async () => {
  const context = await open();
  await addBranches(context, [2]);
  const trades = [even(2n, 1), even(3n, 2500), even(4n, 2500)];
  await playDay(context, '2026-03-30', trades);
  await playDay(context, '2026-04-01', [even(3n, 10)]);
  await playDay(context, '2026-04-30', trades);
  await reachDay(context, '2026-05-01');
  expect(await monthLines(context, MONTH)).toMatchObject([{}, { member_id: 2n, rank: 1, team_volume: dollars(5000) }]);
  expect(await monthLines(context, '2026-04-01')).toMatchObject([
    {},
    { member_id: 2n, rank: 1, team_volume: dollars(5010), paid: dollars(2) },
  ]);
  expect(await rewardRows(context)).toMatchObject([{ member_id: 2n, rank: 1, month: MONTH }]);
});

test('a rank whose volume put nothing into the rewards pool keeps its reward for a month in which it does', async () => {
  const context = await open();
  await addBranches(context, [2]);
  const trades = [even(2n, 1), even(3n, 2500), even(4n, 2500)];
  const planId = await writePlan(context, { rewards_bps: 0 });
  await playDay(context, '2026-03-30', trades, planId);
  await reachDay(context, '2026-04-01');
  expect(await rewardRows(context)).toEqual([]);
  await playDay(context, '2026-04-01', trades);
  await reachDay(context, '2026-05-01');
  expect(await rewardRows(context)).toMatchObject([
    { member_id: 2n, rank: 1, month: '2026-04-01', nominal: dollars(1) },
  ]);
});
