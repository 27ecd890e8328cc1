import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { getHouseBalances } from '#server/ledger/index.ts';
import { followPayouts } from '../payouts/follow-payouts.ts';
import { payWithdrawals } from '../payouts/pay-withdrawals.ts';
import { openCoinsWorld } from './coins-world.test-setup.ts';
import { followCoins } from './value-coins.ts';

const { node, world, confirmed, look, coins } = await openCoinsWorld();
const { context } = world;

/** As in a database of before holdings were kept. */
async function forget() {
  world.clock.advance(3600);
  await sql`alter table funds.gateway_movement disable trigger append_only`.execute(context.db);
  await sql`delete from funds.gateway_movement`.execute(context.db);
  await sql`delete from funds.gateway_holding`.execute(context.db);
  await sql`alter table funds.gateway_movement enable trigger append_only`.execute(context.db);
}
beforeEach(() => {
  node.rate = '50000';
});

const kinds = async () => {
  const { rows } = await sql<{ kind: string; n: number }>`
    select kind, count(*)::int as n from funds.gateway_movement group by kind order by kind`.execute(context.db);
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]));
};
const workers = (count: number, work: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, work));

test('eight workers book one fee and one valuation, while payments come in', async () => {
  await look(await confirmed(1000));
  await world.addApproved(100, 'BTC');
  await world.addApproved(100, 'BTC');
  const before = node.payouts.length;
  await payWithdrawals(context);
  const ids = node.payouts.slice(before).map(({ id }) => id);
  node.sendPayout(...ids);
  for (const id of ids) node.completePayout(id);
  world.clock.advance(3600);
  const payments = await Promise.all([100, 200, 300].map((dollars) => confirmed(dollars)));
  const held = await coins();
  const had = await kinds();
  node.rate = '52000';
  await Promise.all([
    workers(4, () => followPayouts(context)),
    workers(8, () => followCoins(context)),
    ...payments.flatMap((deposit) => [look(deposit), look(deposit)]),
  ]);
  await workers(8, () => followCoins(context));
  const { payment = 0, payout = 0, network_fee = 0, revaluation = 0 } = await kinds();
  expect({ payment, payout, network_fee, revaluation }).toEqual({
    payment: (had.payment ?? 0) + 3,
    payout: (had.payout ?? 0) + 2,
    network_fee: (had.network_fee ?? 0) + 1,
    revaluation: (had.revaluation ?? 0) + 1,
  });
  expect((await coins())?.units).toBeCloseTo((held?.units ?? 0) + 0.012 - 0.00396 - 0.00002, 8);
  expect((await getHouseBalances(context.db)).gateway_result).not.toBe(0n);
  expect(await world.findings()).toEqual([]);
});

test('a holding begins with what the gateway reports, less what is not booked yet, at the books’ value', async () => {
  await forget();
  const credited = await confirmed(1000);
  await look(credited);
  expect(await coins()).toBeUndefined();
  // A payment seen but not confirmed, and a payout sent but not completed here.
  const pending = await world.addDeposit(100);
  node.pay(pending.invoice_id as string, 100);
  await look(pending);
  await sql`update funds.deposit set state = 'pending' where id = ${pending.id}`.execute(context.db);
  const row = await world.addApproved(200, 'BTC');
  await payWithdrawals(context);
  node.sendPayout(node.payouts.at(-1)?.id as string);
  // 0.02 of the first, 0.002 of the second, less 0.00396 and a fee. The setup's credits are not at the gateway, so the
  // coins count at market value.
  node.wallets.set('BTC-CHAIN', '0.01802');
  await workers(8, () => followCoins(context));
  expect(await coins()).toMatchObject({ units: 0.02, booked: 1000 });
  expect(await kinds()).toEqual({ opening: 1 });
  node.confirm(pending.invoice_id as string);
  await look(pending);
  node.completePayout(node.payouts.at(-1)?.id as string);
  world.clock.advance(10);
  await followPayouts(context);
  expect((await world.withdrawal(row.id)).state).toBe('completed');
  expect(await coins()).toMatchObject({ units: 0.01804, booked: 902 });
  await followCoins(context);
  // Rounded for the house.
  expect(await coins()).toMatchObject({ units: 0.01802, booked: 901.000001 });
});

test('a holding that is worth about what the ledger has for it begins with that, and is valued at once', async () => {
  await forget();
  const { gateway } = await getHouseBalances(context.db);
  node.wallets.set('BTC-CHAIN', '0.8');
  node.rate = ((-Number(gateway) / 1e6 / 0.8) * 1.25).toFixed(2);
  expect(await followCoins(context)).toBe(1);
  const { gateway: after, gateway_result } = await getHouseBalances(context.db);
  expect(Number(gateway - after) / Number(-gateway)).toBeCloseTo(0.25, 4);
  expect(gateway_result).toBeGreaterThan(0n);
  expect(await coins()).toMatchObject({ units: 0.8, booked: -Number(after) / 1e6 });
});
