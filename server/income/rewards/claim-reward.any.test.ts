import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import type { Context } from '#server/context.ts';
import { getBalances, getHouseBalance, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { killAtEveryQuery } from '#test/database/kill-at-every-query.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { dollars, even, periodWorlds, playDay, reachDay, read, writePlan } from '../periods/period-world.test-setup.ts';
import { claimReward } from './claim-reward.ts';
import { listRewards } from './list-rewards.ts';
import { payWaitingRewards } from './pay-waiting-rewards.ts';

const worlds = closeAfterAll(periodWorlds());

/** Rewards of 1 $ for 2 and 3, of 5 $ for 4, of 0.5 $ for 5; and 1.5 $ in the pool. */
async function openOffice(): Promise<Context> {
  const context = await worlds.open('2026-03-02');
  await addTeam(context, Array<bigint>(6).fill(1n));
  await fill(context, '2026-03-04', 1.5);
  await sql`
    insert into income.reward (member_id, rank, month, nominal)
    values (2, 1, '2026-02-01', 1000000), (3, 1, '2026-02-01', 1000000), (4, 2, '2026-02-01', 5000000), (5, 1, '2026-02-01', 500000)`.execute(
    context.db,
  );
  return context;
}

/** A session whose fees put so much into the rewards pool: 5 % of 0.4 % of its volume. */
const fill = (context: Context, day: string, amount: number) => playDay(context, day, [even(7n, amount * 5000)]);

const claim = (context: Context, memberId: bigint, rank: 'bronze' | 'silver' = 'bronze') =>
  claimReward(context, memberId, { rank });

test('paid at once when the pool has it, else in line; a smaller claim behind does not overtake', async () => {
  const context = await openOffice();
  expect(await claim(context, 2n)).toEqual({
    rank: 'bronze',
    required: 5000,
    reached: 5000,
    reward: 1,
    contributed: null,
    state: 'paid',
    month: '2026-02',
    place: null,
    paid_at: '2026-03-04T17:30:00.000Z',
  });
  expect((await getBalances(context.db, 2n)).profit).toBe(dollars(1));
  expect(await claim(context, 4n, 'silver')).toMatchObject({ rank: 'silver', reward: 5, state: 'waiting', place: 1 });
  expect(await claim(context, 3n)).toMatchObject({ state: 'waiting', place: 2, paid_at: null });
  // The pool still has 0.5 $, which would be enough for the last one.
  expect(await claim(context, 5n)).toMatchObject({ state: 'waiting', place: 3 });
  expect(await listRewards(context, 3n)).toMatchObject({ pool: 0.5, waiting: 3, waiting_amount: 6.5 });

  await fill(context, '2026-03-05', 4.4);
  expect(await read(context, sql`select member_id from income.reward where state = 'paid'`)).toEqual([
    { member_id: 2n },
  ]);
  // 5.9 $ with it: 5 $ for the first, and 0.9 $ are not enough for the second.
  await fill(context, '2026-03-06', 1);
  expect(await read(context, sql`select member_id from income.reward where state = 'paid' order by claim_no`)).toEqual([
    { member_id: 2n },
    { member_id: 4n },
  ]);
  expect((await listRewards(context, 3n)).ranks[0]).toMatchObject({ state: 'waiting', place: 1 });
  await fill(context, '2026-03-07', 3);
  expect(await read(context, sql`select member_id from income.reward where state = 'waiting'`)).toEqual([]);
  expect(await getHouseBalance(context.db, 'pool_rewards')).toBe(dollars(1.5 + 4.4 + 1 + 3 - 7.5));
  expect(
    await read(context, sql`select key, amount, reference from ledger.transfer where reason = 'reward' order by id`),
  ).toEqual([
    { key: 'reward/2/bronze', amount: dollars(1), reference: 'reward bronze' },
    { key: 'reward/4/silver', amount: dollars(5), reference: 'reward silver' },
    { key: 'reward/3/bronze', amount: dollars(1), reference: 'reward bronze' },
    { key: 'reward/5/bronze', amount: dollars(0.5), reference: 'reward bronze' },
  ]);
  expect(
    await read(context, sql`select member_id, message from notify.notification where kind = 'reward_paid' order by id`),
  ).toEqual([
    { member_id: 2n, message: 'Reward Bronze: $1.00 from the rewards pool.' },
    { member_id: 4n, message: 'Reward Silver: $5.00 from the rewards pool.' },
    { member_id: 3n, message: 'Reward Bronze: $1.00 from the rewards pool.' },
    { member_id: 5n, message: 'Reward Bronze: $0.50 from the rewards pool.' },
  ]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('a rank keeps the volume that it took when it was reached, whatever later plans ask for', async () => {
  const context = await worlds.open('2026-03-02', { countedOnce: true });
  await addTeam(context, [1n, 2n, 2n, 3n]);
  await playDay(context, '2026-03-04', [even(2n, 10), even(4n, 3000), even(5n, 3000)]);
  await reachDay(context, '2026-04-01');
  const bronze = async () => (await listRewards(context, 2n)).ranks[0];
  expect(await bronze()).toMatchObject({ state: 'claimable', month: '2026-03', required: 5000, reached: 5000 });
  const [first, ...higher] = firstFeePlan.ranks;
  await writePlan(context, { ranks: [{ ...first, volume: 6000 }, ...higher] as typeof firstFeePlan.ranks });
  expect(await bronze()).toMatchObject({ state: 'claimable', required: 5000, reached: 5000 });
  expect(await claim(context, 2n)).toMatchObject({ required: 5000, reached: 5000, month: '2026-03' });
  expect((await listRewards(context, 3n)).ranks[0]).toMatchObject({ state: 'locked', required: 6000 });
});

test('a rank that was not reached, is already queued or was paid cannot be claimed, nor another member’s', async () => {
  const context = await openOffice();
  const refused = { code: 'reward_not_claimable' };
  await claim(context, 2n);
  await claim(context, 3n);
  await expect(claim(context, 2n)).rejects.toMatchObject(refused);
  await expect(claim(context, 3n)).rejects.toMatchObject(refused);
  await expect(claim(context, 2n, 'silver')).rejects.toMatchObject(refused);
  await expect(claim(context, 6n)).rejects.toMatchObject(refused);
  expect(await read(context, sql`select claim_no from income.reward_desk`)).toEqual([{ claim_no: 2n }]);
});

test('a claim killed at any query leaves nothing behind, and the next one has its place and its money', async () => {
  const context = await openOffice();
  const killed = await killAtEveryQuery(context, (broken) => claim(broken, 2n));
  expect(killed).toBeGreaterThan(4);
  expect(
    await read(context, sql`select member_id, claim_no, state from income.reward where claim_no is not null`),
  ).toEqual([{ member_id: 2n, claim_no: 1n, state: 'paid' }]);
  expect((await getBalances(context.db, 2n)).profit).toBe(dollars(1));
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('serving the line killed at any query, and again when nothing is left to serve: each is paid once', async () => {
  const context = await openOffice();
  await claim(context, 4n, 'silver');
  await claim(context, 3n);
  await sql`update income.reward set nominal = 1000000 where member_id = 4`.execute(context.db);
  await sql`update income.reward set nominal = 500000 where member_id = 3`.execute(context.db);
  expect(await killAtEveryQuery(context, payWaitingRewards)).toBeGreaterThan(3);
  await payWaitingRewards(context);
  expect(await getHouseBalance(context.db, 'pool_rewards')).toBe(0n);
  expect((await getBalances(context.db, 3n)).profit).toBe(dollars(0.5));
  expect((await getBalances(context.db, 4n)).profit).toBe(dollars(1));
});
