import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { getBalances, getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { freeze } from '#test/worlds/members.ts';
import { addTeam, settleSession } from '#test/worlds/settled-session.ts';
import { isAllComputed, payDue } from '../periods/pay-due.ts';
import { dollars, even, periodWorlds, read } from '../periods/period-world.test-setup.ts';
import { bonusTransfers, findBonusRun, findQualification, listedLines, shareDay } from './bonus-world.test-setup.ts';
import { replayBonuses } from './replay-session.ts';

const worlds = closeAfterAll(periodWorlds());
const open = () => worlds.open('2026-03-02');

/** Both fee accounts are empty, the ledger verifies, and a replay gives the same hashes. */
async function expectSound(context: Context, day: string): Promise<void> {
  expect(await getHouseBalances(context.db)).toMatchObject({ trade_fees: 0n, performance_fees: 0n });
  expect(await verifyLedger(context.db)).toEqual([]);
  const replay = await replayBonuses(context, day);
  expect(replay.replayedInputsHash).toBe(replay.inputsHash);
  expect(replay.replayedOutputsHash).toBe(replay.outputsHash);
  expect(replay.inputsHash).toMatch(/^[0-9a-f]{64}$/);
}

test('a chain of twelve: a member with ten active directs gets ten levels, and nothing of the eleventh', async () => {
  const context = await open();
  const chain = await addTeam(
    context,
    Array.from({ length: 12 }, (_, index) => BigInt(index + 1)),
  );
  expect(chain).toEqual([2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n, 13n]);
  // Nine more directs of 2, active by a trade of the day before.
  const directs = await addTeam(context, Array(9).fill(2n));
  await shareDay(
    context,
    '2026-03-03',
    directs.map((id) => even(id, 1)),
  );
  // 100 $ each: fees of 0.40 $.
  await shareDay(
    context,
    '2026-03-04',
    chain.map((id) => even(id, 100)),
  );

  const lines = await listedLines(context, '2026-03-04');
  expect(lines.filter((line) => line.startsWith('2/'))).toEqual([
    '2/1 1 400000 0 → 80000 0 (10)',
    '2/2 1 400000 0 → 40000 0 (10)',
    '2/3 1 400000 0 → 24000 0 (10)',
    '2/4 1 400000 0 → 16000 0 (10)',
    '2/5 1 400000 0 → 12000 0 (10)',
    '2/6 1 400000 0 → 8000 0 (10)',
    '2/7 1 400000 0 → 8000 0 (10)',
    '2/8 1 400000 0 → 4000 0 (10)',
    '2/9 1 400000 0 → 4000 0 (10)',
    '2/10 1 400000 0 → 4000 0 (10)',
  ]);
  // Everybody else in the chain has one active direct: level 1 pays, the others are missed.
  expect(lines.filter((line) => line.startsWith('10/'))).toEqual([
    '10/1 1 400000 0 → 80000 0 (1)',
    '10/2 1 400000 0 → 0 0 (1) directs',
    '10/3 1 400000 0 → 0 0 (1) directs',
  ]);
  // The company is above all ten levels and earns nothing.
  expect(lines.filter((line) => line.startsWith('1/'))).toEqual(
    Array.from({ length: 10 }, (_, index) => `1/${index + 1} 1 400000 0 → 0 0 (1) company`),
  );
  expect(lines.filter((line) => line.startsWith('13/'))).toEqual([]);

  // 4.80 $ of fees: 11 × 0.08 $, 0.12 $, pools 0.48, 0.48 and 0.24 $, and what is left.
  const transfers = await bonusTransfers(context);
  expect(transfers).toMatchObject({
    'bonus/2026-03-04/referral/2': 80_000n,
    'bonus/2026-03-04/level/2': 120_000n,
    'bonus/2026-03-04/referral/12': 80_000n,
    'bonus/2026-03-04/weekly-pool': 480_000n,
    'bonus/2026-03-04/monthly-pool': 480_000n,
    'bonus/2026-03-04/rewards-pool': 240_000n,
    'bonus/2026-03-04/trade-revenue': 2_600_000n,
  });
  expect(Object.keys(transfers).filter((key) => key.startsWith('bonus/2026-03-04/level/'))).toHaveLength(1);
  expect(await findQualification(context, 2n)).toMatchObject({
    sponsor_id: 1n,
    last_traded_on: '2026-03-04',
    volume: dollars(100),
    leg_volume: dollars(1009),
    active_by_level: '{10,1,1,1,1,1,1,1,1,1}',
  });
  // The leg that 2 heads ends at level 10 of 2's sponsor: 2 and nine levels.
  expect(await findQualification(context, 3n)).toMatchObject({ leg_volume: dollars(1000) });
  await expectSound(context, '2026-03-04');
});

test('a bushy tree by hand: an inactive sponsor, one direct too few, a frozen one who goes on earning, and the company', async () => {
  const context = await open();
  // 2 has 3 (frozen) and 4 (does not trade); 3 has 5 and 6; 4 has 7; 5 has 8.
  await addTeam(context, [1n, 2n, 2n, 3n, 3n, 4n, 5n]);
  await freeze(context, 3n);
  const up = (memberId: bigint, amount: number) => ({ memberId, micros: dollars(amount), trend: 'up' }) as const;
  await shareDay(context, '2026-03-04', [
    even(2n, 50),
    // 0.40 $ of 100 $; 99.60 $ become 109.56 $, of whose gain of 9.56 $ the fee is a tenth.
    up(3n, 100),
    up(5n, 200),
    { memberId: 6n, micros: dollars(40), trend: 'down' },
    up(7n, 300),
    even(8n, 80),
  ]);
  expect(await listedLines(context, '2026-03-04')).toEqual([
    '1/1 1 200000 0 → 0 0 (1) company',
    '1/2 1 400000 956000 → 0 0 (1) company',
    '1/3 3 2160000 4780000 → 0 0 (1) company',
    '1/4 1 320000 0 → 0 0 (1) company',
    '2/1 1 400000 956000 → 80000 143400 (1)',
    '2/2 3 2160000 4780000 → 0 0 (1) directs',
    '2/3 1 320000 0 → 0 0 (1) directs',
    '3/1 2 960000 1912000 → 192000 286800 (2)',
    '3/2 1 320000 0 → 32000 0 (2)',
    '4/1 1 1200000 2868000 → 0 0 (1) inactive',
    '5/1 1 320000 0 → 64000 0 (1)',
  ]);
  expect(await bonusTransfers(context)).toEqual({
    'bonus/2026-03-04/level/3': 32_000n,
    'bonus/2026-03-04/monthly-pool': 308_000n,
    'bonus/2026-03-04/performance-revenue': 5_736_000n - 430_200n,
    'bonus/2026-03-04/profit/2': 143_400n,
    'bonus/2026-03-04/profit/3': 286_800n,
    'bonus/2026-03-04/referral/2': 80_000n,
    'bonus/2026-03-04/referral/3': 192_000n,
    'bonus/2026-03-04/referral/5': 64_000n,
    'bonus/2026-03-04/rewards-pool': 154_000n,
    'bonus/2026-03-04/trade-revenue': 1_942_000n,
    'bonus/2026-03-04/weekly-pool': 308_000n,
  });
  expect(await findBonusRun(context, '2026-03-04')).toMatchObject({
    state: 'done',
    traded_members: 6n,
    volume: dollars(770),
    trade_fees: 3_080_000n,
    performance_fees: 5_736_000n,
    referral_bonus: 336_000n,
    level_bonus: 32_000n,
    team_profit: 430_200n,
  });
  // 3 has the 109.56 $ less the fee, and the team's bonuses.
  expect((await getBalances(context.db, 3n)).profit).toBe(9_560_000n - 956_000n + 286_800n + 192_000n + 32_000n);
  expect(
    await read(context, sql`select member_id, message from notify.notification where kind = 'bonus_paid' order by 1`),
  ).toEqual([
    { member_id: 2n, message: 'Session of 4 Mar 2026: $0.2234 from the fees of your team.' },
    { member_id: 3n, message: 'Session of 4 Mar 2026: $0.5108 from the fees of your team.' },
    { member_id: 5n, message: 'Session of 4 Mar 2026: $0.064 from the fees of your team.' },
  ]);
  await expectSound(context, '2026-03-04');
});

test('odd fees: each transfer is rounded down once, its lines add up to it, and the house has the rest', async () => {
  const context = await open();
  // 2 has 3, 4 and 5; 3 has 6; 6 has 7. All of them trade 49 750 micros: fees of 199.
  await addTeam(context, [1n, 2n, 2n, 2n, 3n, 6n]);
  await shareDay(
    context,
    '2026-03-04',
    [2n, 3n, 4n, 5n, 6n, 7n].map((memberId) => ({ memberId, micros: 49_750n })),
  );
  expect((await listedLines(context, '2026-03-04')).filter((line) => !line.startsWith('1/'))).toEqual([
    // 597 × 20 % = 119.4
    '2/1 3 597 0 → 119 0 (3)',
    // 19.9 and 11.94 are 31.84 together: 19 of the first, 12 more with the second.
    '2/2 1 199 0 → 19 0 (3)',
    '2/3 1 199 0 → 12 0 (3)',
    '3/1 1 199 0 → 39 0 (1)',
    '3/2 1 199 0 → 0 0 (1) directs',
    '6/1 1 199 0 → 39 0 (1)',
  ]);
  expect(await bonusTransfers(context)).toEqual({
    'bonus/2026-03-04/level/2': 31n,
    'bonus/2026-03-04/monthly-pool': 119n,
    'bonus/2026-03-04/referral/2': 119n,
    'bonus/2026-03-04/referral/3': 39n,
    'bonus/2026-03-04/referral/6': 39n,
    'bonus/2026-03-04/rewards-pool': 59n,
    'bonus/2026-03-04/trade-revenue': 1194n - 31n - 197n - 119n - 119n - 59n,
    'bonus/2026-03-04/weekly-pool': 119n,
  });
  await expectSound(context, '2026-03-04');
});

test('trades too small for a fee, and a session without trades, are distributed with lines but no transfer', async () => {
  const context = await open();
  await addTeam(context, [1n, 2n]);
  await shareDay(context, '2026-03-04', [{ memberId: 3n, micros: 249n }]);
  expect(await listedLines(context, '2026-03-04')).toEqual([
    '1/2 1 0 0 → 0 0 (0) company',
    '2/1 1 0 0 → 0 0 (1) inactive',
  ]);
  await shareDay(context, '2026-03-05', []);
  expect(await findBonusRun(context, '2026-03-05')).toMatchObject({
    state: 'done',
    traded_members: 0n,
    trade_fees: 0n,
  });
  expect(await listedLines(context, '2026-03-05')).toEqual([]);
  expect(await bonusTransfers(context)).toEqual({});
  await expectSound(context, '2026-03-05');
});

test('members of blocks far apart are paid from one session', async () => {
  const context = await open();
  const [sponsor] = await addTeam(context, [1n]);
  await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), 8191)`.execute(context.db);
  const [far, farther] = (await addTeam(context, [sponsor as bigint, 8192n])) as [bigint, bigint];
  expect([sponsor, far, farther]).toEqual([2n, 8192n, 8193n]);
  await shareDay(context, '2026-03-04', [even(2n, 10), even(8192n, 10), even(8193n, 10)]);
  expect((await listedLines(context, '2026-03-04')).filter((line) => !line.startsWith('1/'))).toEqual([
    '2/1 1 40000 0 → 8000 0 (1)',
    '2/2 1 40000 0 → 0 0 (1) directs',
    '8192/1 1 40000 0 → 8000 0 (1)',
  ]);
  expect(await read(context, sql`select no, lines from income.bonus_block order by no`)).toEqual([
    { no: 0, lines: 5n },
    { no: 2, lines: 1n },
  ]);
  await expectSound(context, '2026-03-04');
});

test('a ledger that does not reconcile stops the run before it is done, and no session opens', async () => {
  const context = await open();
  await addTeam(context, [1n, 2n]);
  await settleSession(context, '2026-03-04', [even(2n, 10), even(3n, 10)]);
  // A micro that nobody paid.
  await sql`update trading.daily_result set trade_fees = trade_fees + 1 where member_id = 3`.execute(context.db);
  await expect(payDue(context)).rejects.toThrow(/trade fees/);
  await expect(payDue(context)).rejects.toThrow(/trade fees/);
  expect(await findBonusRun(context, '2026-03-04')).toMatchObject({ state: 'checking', trade_fees: 80_001n });
  expect(await isAllComputed(context.db)).toBe(false);
});
