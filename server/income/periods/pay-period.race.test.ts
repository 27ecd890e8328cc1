import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { getBalances, getHouseBalance, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { claimReward } from '../rewards/claim-reward.ts';
import { payWaitingRewards } from '../rewards/pay-waiting-rewards.ts';
import { lockRewardQueue } from '../rewards/reward-sql.ts';
import { payDue } from './pay-due.ts';
import { dollars, even, moveClock, periodWorlds, playDay, read, readPeriodBooks } from './period-world.test-setup.ts';

const worlds = closeAfterAll(periodWorlds());

/**
 * Three hundred members in a tree, spread over blocks of 4096 ids and chunks of 65 536, who all trade on the last day
 * of a week and a month.
 */
async function openMay(rule: Parameters<typeof worlds.open>[1]): Promise<Context> {
  const context = await worlds.open('2026-05-25', rule);
  const sponsors = (from: bigint, count: number) =>
    Array.from({ length: count }, (_, n) => from + BigInt(Math.floor(n / 5)));
  const first = await addTeam(context, [1n, ...sponsors(2n, 99)]);
  await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), 9000)`.execute(context.db);
  const second = await addTeam(context, sponsors(20n, 100));
  await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), 70000)`.execute(context.db);
  const third = await addTeam(context, sponsors(9001n, 100));
  await playDay(
    context,
    '2026-05-31',
    [...first, ...second, ...third].map((id, n) => even(id, 100 + ((n * 7919) % 5000))),
  );
  await moveClock(context, '2026-06-01T00:00:00Z');
  return context;
}

test.each([
  ['the first', {}],
  ['the second', { countedOnce: true }],
] as const)(
  'workers that pay the same week and month at once by %s rule pay what one pays, and each member once',
  async (_, rule) => {
    const alone = await openMay(rule);
    await payDue(alone);
    const books = await readPeriodBooks(alone);
    expect(books.transfers?.length).toBeGreaterThan(50);
    const context = await openMay(rule);
    await Promise.all([1, 2, 3, 4].map(() => payDue(context)));
    expect(await readPeriodBooks(context)).toEqual(books);
    expect(await verifyLedger(context.db)).toEqual([]);
  },
);

/** A pool of 3 $ and fifty members with a reward of 1 $ each. */
async function openOffice(): Promise<Context> {
  const context = await worlds.open('2026-03-02');
  await addTeam(context, Array<bigint>(50).fill(1n));
  // 15 000 $ bring 60 $ of fees, and 3 $ of them the pool.
  await playDay(context, '2026-03-04', [even(2n, 15_000)]);
  await sql`
    insert into income.reward (member_id, rank, month, nominal)
    select id, 1, '2026-03-01', 1000000 from generate_series(2, 51) as id`.execute(context.db);
  return context;
}

const claimants = Array.from({ length: 50 }, (_, n) => BigInt(n + 2));

test('fifty claims at once on a pool that has three: three are paid, the others stand in one line', async () => {
  const context = await openOffice();
  const answers = await Promise.all(claimants.map((id) => claimReward(context, id, { rank: 'bronze' })));
  expect(answers.filter(({ state }) => state === 'paid')).toHaveLength(3);
  expect(
    answers
      .filter(({ state }) => state === 'waiting')
      .map(({ place }) => place)
      .sort((a, b) => Number(a) - Number(b)),
  ).toEqual(Array.from({ length: 47 }, (_, n) => n + 1));
  expect(await getHouseBalance(context.db, 'pool_rewards')).toBe(0n);
  const line = await read(context, sql`select member_id from income.reward where state = 'waiting' order by claim_no`);

  // The pool is filled while members claim and workers pay the queue: its first two are next.
  await playDay(context, '2026-03-05', [even(2n, 10_000)]);
  await Promise.all([1, 2, 3].map(() => payWaitingRewards(context)));
  expect(
    await read(context, sql`select member_id from income.reward where state = 'paid' order by claim_no offset 3`),
  ).toEqual(line.slice(0, 2));
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('a claim that waited for the line is dated after what was paid meanwhile', async () => {
  const context = await openOffice();
  const release = await holdOpen(context.db, lockRewardQueue);
  const claimed = claimReward(context, 2n, { rank: 'bronze' });
  await waitFor(async () => (await countLockWaits(context.db)) === 1, 'the claim waits');
  await moveClock(context, '2026-03-05T00:00:01Z');
  await release();
  expect(await claimed).toMatchObject({ state: 'paid', paid_at: '2026-03-05T00:00:01.000Z' });
});

test('one reward claimed twenty times at once is paid once', async () => {
  const context = await openOffice();
  const before = await getBalances(context.db, 2n);
  const { refused } = await atOnce(times(20, () => claimReward(context, 2n, { rank: 'bronze' })));
  expect(refused).toEqual(Array(19).fill('reward_not_claimable'));
  expect((await getBalances(context.db, 2n)).profit - before.profit).toBe(dollars(1));
});
