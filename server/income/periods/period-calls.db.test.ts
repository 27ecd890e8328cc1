import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { signUp } from '#test/worlds/members.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { mountIncome } from '../routes.ts';
import { even, periodWorlds, playDay, reachDay, writePlan } from './period-world.test-setup.ts';

const worlds = closeAfterAll(periodWorlds());
const context = await worlds.open('2026-03-02');
const app = closeAfterAll(await testApp(context, mountIncome));
// 2 has 3, 4 and 5; 6 has nobody.
const { token } = await signUp(context, { name: 'Mira Lund' });
await addTeam(context, [2n, 2n, 2n]);
const { token: foreign } = await signUp(context, { name: 'Ann Stone', email: 'ann@example.com' });

const get = async (url: string, as = token) => (await app.ask('GET', url, { token: as })).body.data;

test('before the first session there is nothing, and it says so', async () => {
  expect(await get('bounus/monthly-weekly')).toEqual({
    items: [],
    next_cursor: null,
    lifetime: 0,
    weeks_paid: 0,
    current: {
      week: '2026-W10',
      from: '2026-03-02',
      to: '2026-03-08',
      volume: 0,
      cap: 10,
      pool: 0,
      counted_once: false,
      qualifies: false,
      reason: 'inactive',
      active_directs: 0,
      needed_directs: 3,
      pays_at: '2026-03-09T00:00:00.000Z',
    },
  });
  expect(await get('bounus/monthly-salary')).toMatchObject({
    items: [],
    lifetime: 0,
    current: {
      period: '2026-03',
      active: false,
      rank: null,
      team_volume: 0,
      volume: 0,
      next: { rank: 'bronze', required: 5000, reached: 0 },
      leg_cap: 60,
      pool: 0,
      pays_at: '2026-04-01T00:00:00.000Z',
    },
    coverages: [],
    ranks: [
      { rank: 'bronze', required: 5000, up_to: 2 },
      { rank: 'silver', required: 25_000, up_to: 10 },
      { rank: 'gold', required: 100_000, up_to: 40 },
      { rank: 'platinum', required: 500_000, up_to: 200 },
      { rank: 'diamond', required: 2_000_000, up_to: 800 },
    ],
  });
  expect(await get('safe/fetch-sir-reward')).toMatchObject({
    period: '2026-03',
    volume: 0,
    pool: 0,
    waiting: 0,
    waiting_amount: 0,
    leg_cap: 60,
    ranks: [1, 5, 20, 100, 400].map((reward) => ({ state: 'locked', reached: 0, reward, month: null, place: null })),
  });
});

test('while a week and a month run, their figures are as of the last session', async () => {
  await playDay(context, '2026-03-04', [even(2n, 100), even(3n, 3000), even(4n, 2000), even(5n, 100)]);
  await playDay(context, '2026-03-11', [even(3n, 100)]);
  await reachDay(context, '2026-03-12');

  // 5 200 $ put 2.08 $ in; 10 % of it were paid; 100 $ put another 0.04 $ in.
  expect(await get('bounus/monthly-weekly')).toMatchObject({
    lifetime: 0.208,
    weeks_paid: 1,
    current: { week: '2026-W11', volume: 100, pool: 1.912, qualifies: true, reason: null, active_directs: 3 },
  });
  expect((await get('bounus/monthly-salary')).current).toMatchObject({
    active: true,
    rank: 'bronze',
    team_volume: 5200,
    volume: 5200,
    next: { rank: 'silver', required: 25_000, reached: 5200 },
    pool: 2.12,
  });
  // For Bronze no more than 3 000 $ of the leg of 3 100 $ count.
  expect((await get('safe/fetch-sir-reward')).ranks.slice(0, 2)).toMatchObject([
    { rank: 'bronze', required: 5000, reached: 5100, state: 'locked' },
    { rank: 'silver', required: 25_000, reached: 5200, state: 'locked' },
  ]);
  expect((await get('bounus/monthly-weekly', foreign)).current).toMatchObject({ qualifies: false, reason: 'inactive' });
});

test('weeks and months that were paid are listed newest first, page by page', async () => {
  await reachDay(context, '2026-04-01');
  const page = await get('bounus/monthly-weekly?limit=1');
  expect(page.items).toEqual([
    {
      id: '20260309',
      week: '2026-W11',
      from: '2026-03-09',
      to: '2026-03-15',
      pool: 1.912,
      volume: 100,
      qualifying_volume: 100,
      contributed: null,
      share: 10,
      nominal: 1.912,
      paid: 0.1912,
      held: false,
      coverage: 0.1,
      reason: null,
      created_at: '2026-04-01T00:00:00.000Z',
    },
  ]);
  const next = await get(`bounus/monthly-weekly?limit=1&cursor=${page.next_cursor}`);
  expect(next.items).toMatchObject([{ id: '20260302', paid: 0.208 }]);
  expect(next.next_cursor).toBeNull();

  expect(await get('bounus/monthly-salary')).toMatchObject({
    items: [
      {
        id: '20260301',
        period: '2026-03',
        rank: 'bronze',
        volume: 5100,
        contributed: null,
        nominal: 2,
        paid: 2,
        held: false,
        scale: 1,
        coverage: 1,
        reason: null,
        created_at: '2026-04-01T00:00:00.000Z',
      },
    ],
    lifetime: 2,
    coverages: [{ period: '2026-03', coverage: 1 }],
    // A month begins from nothing.
    current: { period: '2026-04', rank: null, team_volume: 0, volume: 0, pool: 0.12 },
  });
});

test('a week opens into fees, pool, levels and the transfer', async () => {
  expect(await get('bounus/monthly-weekly/20260309')).toMatchObject({
    line: { id: '20260309', paid: 0.1912 },
    sessions: 1,
    trade_volume: 100,
    trade_fees: 0.4,
    filled: 0.04,
    carried: 1.872,
    cap: 10,
    capped: true,
    levels: [{ level: 1, volume: 100 }],
    transfers: [{ reason: 'weekly_income', from: 'pool_weekly', to: 'profit', amount: 0.1912 }],
  });
});

test('a month opens into its legs, what of them counts, and the transfer', async () => {
  expect(await get('bounus/monthly-salary/20260301')).toMatchObject({
    line: { id: '20260301', rank: 'bronze' },
    team_volume: 5200,
    required: 5000,
    up_to: 2,
    contributed: 2,
    pool: 2.12,
    total: 2,
    leg_cap: 60,
    legs: [
      { id: '3', name: 'Member 1', volume: 3100, counted: 3000 },
      { id: '4', name: 'Member 2', volume: 2000, counted: 2000 },
      { id: '5', name: 'Member 3', volume: 100, counted: 100 },
    ],
    legs_total: 3,
    transfers: [{ reason: 'monthly_income', from: 'pool_monthly', to: 'profit', amount: 2 }],
  });
});

test('a reward is claimed over the wire, once a key', async () => {
  // 5 300 $ put 1.06 $ into the pool.
  const claim = () =>
    app.ask('POST', 'safe/claim-reward', {
      token,
      body: { rank: 'bronze' },
      headers: { 'idempotency-key': 'claim-1' },
    });
  expect((await get('safe/fetch-sir-reward')).ranks[0]).toMatchObject({
    state: 'claimable',
    reward: 1,
    month: '2026-03',
  });
  const paid = { rank: 'bronze', state: 'paid', reward: 1, place: null, paid_at: '2026-04-01T00:00:00.000Z' };
  expect((await claim()).body.data).toMatchObject(paid);
  expect((await claim()).body.data).toMatchObject(paid);
  expect(await get('safe/fetch-sir-reward')).toMatchObject({ pool: 0.06, ranks: [paid, {}, {}, {}, {}] });
  const again = await app.ask('POST', 'safe/claim-reward', { token, body: { rank: 'bronze' } });
  expect(again).toMatchObject(refusal(409, 'reward_not_claimable'));
});

test.each([
  ['bounus/monthly-weekly/20260302', 'a week of somebody else'],
  ['bounus/monthly-weekly/20260303', 'a day on which no week begins'],
  ['bounus/monthly-weekly/20300107', 'a week to come'],
  ['bounus/monthly-salary/20260301', 'a month of somebody else'],
  ['bounus/monthly-salary/20260302', 'a day on which no month begins'],
  ['bounus/monthly-salary/99999999999999999', 'no day at all'],
])('%s is not found: %s', async (url) => {
  expect(await app.ask('GET', url, { token: foreign })).toMatchObject(refusal(404, 'not_found'));
});

test('after the last session of a week and month, a plan written for the next session changes neither', async () => {
  const own = await worlds.open('2026-05-25');
  const ownApp = closeAfterAll(await testApp(own, mountIncome));
  const mira = await signUp(own, { name: 'Mira Lund' });
  await addTeam(own, [2n, 2n, 2n]);
  const read = async (url: string) => (await ownApp.ask('GET', url, { token: mira.token })).body.data;
  const standing = async () => ({
    week: (await read('bounus/monthly-weekly')).current,
    month: (await read('bounus/monthly-salary')).current,
    bronze: (await read('safe/fetch-sir-reward')).ranks[0],
  });
  const dearer = firstFeePlan.ranks.map((rank) => ({ ...rank, volume: rank.volume * 2 }));
  const trades = [even(2n, 100), even(3n, 3000), even(4n, 2000), even(5n, 100)];
  // A Sunday, and the last day of its month.
  await playDay(own, '2026-05-31', trades);
  await writePlan(own, { weekly_min_directs: 4, weekly_cap_bps: 2500, leg_cap_bps: 4000, ranks: dearer });
  expect(await standing()).toMatchObject({
    week: { to: '2026-05-31', qualifies: true, needed_directs: 3, cap: 10 },
    month: { period: '2026-05', rank: 'bronze', leg_cap: 60 },
    bronze: { required: 5000 },
  });
  await reachDay(own, '2026-06-01');
  expect((await read('bounus/monthly-salary')).items).toMatchObject([{ period: '2026-05', rank: 'bronze' }]);
  expect(await standing()).toMatchObject({
    week: { from: '2026-06-01', needed_directs: 4, cap: 25 },
    month: { period: '2026-06', next: { rank: 'bronze', required: 10_000 }, leg_cap: 40 },
  });
});
