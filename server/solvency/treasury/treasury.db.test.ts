import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { getHouseBalances } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal } from '#test/worlds/app.ts';
import { openConsoleWorld, usd } from '#test/worlds/console-world.ts';
import type { TestOperator } from '#test/worlds/operators.ts';

const world = closeAfterAll(await openConsoleWorld());

const at = 'operator/treasury/moves';
const input = (more: object) => ({ amount: 10, reason: 'Rebalancing.', transaction: '0xfeed0123', ...more });
const propose = (more: object, who: TestOperator = world.finance) => world.send(who, 'POST', at, input(more));
const approve = async (id: string, who: TestOperator = world.second, version = 1) =>
  world.send(who, 'POST', `${at}/${id}/approve`, { version, otp: await who.code() });
const book = async (more: object) => {
  const recorded = await propose(more);
  expect(recorded).toMatchObject({ status: 200 });
  return approve(recorded.body.data.id);
};
const house = async () => {
  const { gateway, venue, adjustments, fee_revenue } = await getHouseBalances(world.context.db);
  return { gateway: -gateway, venue: -venue, adjustments, fee_revenue };
};

test('every kind of move books what it says, and the ledger stays right', async () => {
  expect(await book({ kind: 'capital_in', amount: 100 })).toMatchObject({ status: 200 });
  expect(await house()).toMatchObject({ gateway: usd(100), adjustments: usd(100) });
  const funded = await book({ kind: 'venue_fund', amount: 60 });
  expect(funded.body.data).toMatchObject({
    kind: 'venue_fund',
    source: null,
    amount: 60,
    transaction: '0xfeed0123',
    state: 'posted',
    reference: expect.stringMatching(/^TM-[A-Z2-9]{6}$/),
  });
  expect(await house()).toMatchObject({ gateway: usd(40), venue: usd(60) });
  await book({ kind: 'venue_return', amount: 20 });
  expect(await house()).toMatchObject({ gateway: usd(60), venue: usd(40) });
  const [transfer] = await world.select<object>(sql`
    select reason, note, key from ledger.transfer where id = ${BigInt(funded.body.data.transfer_id)}`);
  expect(transfer).toEqual({
    reason: 'venue_fund',
    note: '0xfeed0123: Rebalancing.',
    key: `treasury/${funded.body.data.id}/move`,
  });
  expect(await world.findings()).toEqual([]);
});

test('nothing leaves a place that does not hold it, and no revenue that is not there', async () => {
  for (const more of [
    { kind: 'venue_fund', amount: 60.000001 },
    { kind: 'venue_return', amount: 40.000001 },
    { kind: 'revenue_out', source: 'fee_revenue', amount: 1 },
    { kind: 'revenue_out', source: 'withdrawal_fees', amount: 1 },
  ]) {
    expect(await book(more)).toMatchObject(refusal(409, 'not_covered'));
  }
});

test('revenue is taken out of the account it was collected in', async () => {
  const member = await world.addMember({ dollars: 10 });
  const escrow = { memberId: member.memberId, class: 'trade_escrow' } as const;
  const about = { amountMicros: usd(3), reference: 'trade 1' };
  await world.post({
    from: { memberId: member.memberId, class: 'primary' },
    to: escrow,
    reason: 'trade_place',
    ...about,
  });
  await world.post({ from: escrow, to: { class: 'trade_fees' }, reason: 'trade_fee', ...about });
  await world.post({ from: { class: 'trade_fees' }, to: { class: 'fee_revenue' }, reason: 'fee_revenue', ...about });
  const before = await house();
  expect(await book({ kind: 'revenue_out', source: 'fee_revenue', amount: 3 })).toMatchObject({
    status: 200,
    body: { data: { source: 'fee_revenue' } },
  });
  expect(await house()).toMatchObject({ gateway: before.gateway - usd(3), fee_revenue: 0n });
  expect(await world.findings()).toEqual([]);
});

test.each([
  [{ kind: 'gift' }, 'kind'],
  [{ kind: 'capital_in', amount: 0 }, 'amount'],
  [{ kind: 'capital_in', transaction: 'x' }, 'transaction'],
  [{ kind: 'revenue_out' }, 'source'],
  [{ kind: 'revenue_out', source: 'pool_weekly' }, 'source'],
])('with %j a move is refused', async (more, field) => {
  expect(await propose(more)).toMatchObject(refusal(422, 'validation', field));
});

test('capital that reports could not show is refused, and they go on being shown', async () => {
  const before = await house();
  expect(await book({ kind: 'capital_in', amount: 8_500_000_000 })).toMatchObject(refusal(409, 'capital_too_large'));
  expect(await house()).toEqual(before);
  for (const path of ['operator/treasury', 'operator/overview', 'operator/ledger/accounts'])
    expect(await world.get(world.support, path)).toMatchObject({ status: 200 });
});

test('the overview of the treasury is what the books say', async () => {
  const { body } = await world.get(world.support, 'operator/treasury');
  expect(body.data).toMatchObject({
    simulated: true,
    gateway: { booked: 67, reported: null, reported_at: null },
    venue: { booked: 40, reported: null, reported_at: null },
    unallocated: 0,
    fee_revenue: 0,
    withdrawal_fees: 0,
    adjustments: 100,
    surplus: 100,
    pools: [
      { account: 'pool_weekly', balance: 0, owed: null },
      { account: 'pool_monthly', balance: 0, owed: null },
      { account: 'pool_rewards', balance: 0, owed: 0 },
    ],
    exposure: [],
  });
});
