import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { DataOf } from '#contract/endpoint.ts';
import { endpoints } from '#contract/index.ts';
import { checkLeaf } from '#contract/solvency/check-leaf.ts';
import type { solvency } from '#contract/solvency/sheet.ts';
import type { Context } from '#server/context.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { testApp } from '#test/worlds/app.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { reportBalances } from './report-balances.ts';
import { mountSolvency } from './routes.ts';
import { sha256 } from './show-snapshot.ts';
import { showSolvency } from './show-solvency.ts';
import { takeDailySnapshot } from './take-snapshot.ts';

const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z'));
const app = closeAfterAll(await testApp(context, mountSolvency));
const anna = await signUp(context, { name: 'Anna' });
await giveFunds(context, anna.memberId, 100_000_000n);

async function ask(): Promise<DataOf<typeof solvency.getSolvency>> {
  const { status, body } = await app.ask('GET', 'solvency', { token: anna.token });
  expect(status).toBe(200);
  return endpoints.solvency.getSolvency.data.parse(body.data);
}

test('before the first seal nothing is sealed, and in paper mode nobody reports', async () => {
  expect(await ask()).toMatchObject({
    simulated: true,
    assets: { booked: 100, reported: null },
    exposure: 0,
    residuals: [],
    held: 0,
    sealed_at: null,
    root: null,
    own: null,
  });
});

test('the newest seal is named with its time and root, and proves that the own balances are in it', async () => {
  const snapshot = await takeDailySnapshot(context);
  const { sealed_at: sealedAt, root, own } = await ask();
  expect({ sealedAt, root }).toEqual({
    sealedAt: snapshot?.takenAt.toISOString(),
    root: snapshot?.rootHash.toString('hex'),
  });
  if (!own?.leaf) throw new Error('Anna was there when it was sealed');
  expect(own.leaf.balances_micros.primary).toBe('100000000');
  const { fault } = checkLeaf(own.snapshot, { snapshot: own.snapshot, leaf: own.leaf }, anna.referralCode, sha256);
  expect(fault).toBeUndefined();
});

test('where real money is held the reported assets stand beside the booked ones, and unknown is not zero', async () => {
  const staging: Context = {
    ...context,
    config: { ...context.config, mode: 'staging', payments: ['btcpay'], venue: 'ccxt' },
  };
  expect((await showSolvency(staging, anna.memberId)).assets).toMatchObject({ booked: 100, reported: null });
  await reportBalances(staging, { gateway: async () => 60_000_000n, venue: async () => 30_000_000n });
  expect((await showSolvency(staging, anna.memberId)).assets).toMatchObject({ booked: 100, reported: 90 });
});

test('Bitcoin at the gateway is a line of its own, valued or not, and so is what reports differ by; paper mode has neither', async () => {
  const staging: Context = {
    ...context,
    config: { ...context.config, mode: 'staging', payments: ['btcpay'], venue: 'ccxt' },
  };
  await sql`update funds.gateway_holding set units = 0.01980, booked_micros = 990000000`.execute(context.db);
  const line = { asset: 'BTC', units: '0.0198', value: 990, valued_at: null, valued: false };
  expect(await showSolvency(staging, anna.memberId)).toMatchObject({ gateway_deviation: -40, gateway_coins: [line] });
  const valuedAt = new Date(context.now().getTime() - 2 * 3_600_000);
  await sql`update funds.gateway_holding set rate = 50000, valued_at = ${valuedAt}`.execute(context.db);
  const valued = { valued_at: valuedAt.toISOString(), valued: true };
  expect(await showSolvency(staging, anna.memberId)).toMatchObject({ gateway_coins: [{ ...line, ...valued }] });
  const later = { ...staging, now: () => new Date(context.now().getTime() + 3_600_001) };
  expect(await showSolvency(later, anna.memberId)).toMatchObject({
    gateway_deviation: null,
    gateway_coins: [{ valued: false }],
  });
  expect(await ask()).toMatchObject({ gateway_deviation: null, gateway_coins: [] });
});

test('what the exchange does not hold of positions is named asset by asset; without a price its value is not known', async () => {
  await sql`insert into trading.exposure (symbol, quantity, members_cash) values ('btc', 0.5, -30000000)`.execute(
    context.db,
  );
  const { exposure, residuals } = await ask();
  expect(exposure).toBeNull();
  expect(residuals).toEqual([{ symbol: 'btc', quantity: expect.stringMatching(/^-?0\.50*$/), value: null }]);
});
