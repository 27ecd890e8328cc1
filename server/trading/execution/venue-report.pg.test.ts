import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { post } from '#server/ledger/index.ts';
import { toUnits } from '#test/fake-servers/exchange-orders.ts';
import {
  closePosition,
  type HedgeWorld,
  hedgedBy,
  hedgeFor,
  openHedgeWorld,
  openPosition,
  openTestExchange,
  openTestVenue,
} from '#test/hedge-world.ts';
import { hedgeExposure, listResiduals, refuseVenueChange, reportVenue, VenueFault } from '../index.ts';
import { ccxtVenue } from './venue-ccxt.ts';

let world: HedgeWorld;
afterEach(() => world.close());

const dollars = (amount: number) => BigInt(Math.round(amount * 1e6));

/** An account with a million dollars that the treasury sent from the gateway, as the ledger knows. */
async function openWorld() {
  world = await openHedgeWorld({ USDT: '1000000' });
  Object.assign(world.node.market.pairs.get('BTCUSDT') as object, { lastPrice: '50000.00' });
  Object.assign(world.node.account.book, { slippageBps: 10n, pieces: 3 });
  await inTransaction(world.context.db, (tx) =>
    post(tx, [
      {
        key: 'treasury/1',
        from: { class: 'venue' },
        to: { class: 'gateway' },
        amountMicros: dollars(1_000_000),
        reason: 'venue_fund',
        reference: 'treasury 1',
        marketAt: world.clock.now(),
      },
    ]),
  );
}

const buy = (amount = 10_000) => openPosition(world.context, 'btc', dollars(amount), '50000');
const report = async () => reportVenue(world.context, await openTestVenue(world.context, world.node));

test('the exchange has what the ledger says: before, while and after positions are hedged, residuals included', async () => {
  await openWorld();
  expect((await report()).findings).toEqual([]);
  const id = await buy(12_345.678901);
  // Nothing is bought yet: the whole position is the residual.
  const before = await report();
  expect(before).toMatchObject({ findings: [], openCostMicros: 12_345_678_901n });
  expect(before.residuals).toEqual([{ symbol: 'btc', quantity: '0.246913578020', valueMicros: 12_345_678_901n }]);
  await hedgeFor(world, 4);
  const hedged = await report();
  expect(hedged.findings).toEqual([]);
  expect(hedged.lines.map((line) => line.coin)).toEqual(['USDT', 'BTC']);
  expect(hedged.residuals[0]?.valueMicros).toBeLessThan(dollars(5));
  await closePosition(world.context, id, '50100');
  await hedgeFor(world, 4);
  expect((await report()).findings).toEqual([]);
});

test('a difference is named with both figures', async () => {
  await openWorld();
  await buy();
  await hedgeFor(world, 4);
  const { balances } = world.node.account;
  balances.set('USDT', (balances.get('USDT') as bigint) - toUnits('0.25'));
  balances.set('BTC', (balances.get('BTC') as bigint) + toUnits('0.00000001'));
  balances.set('BNB', toUnits('2'));
  const { lines, findings } = await report();
  expect(lines.map(({ coin, difference }) => [coin, Number(difference)])).toEqual([
    ['USDT', expect.closeTo(-0.25, 5)],
    ['BTC', 1e-8],
    ['BNB', 2],
  ]);
  expect(findings).toHaveLength(3);
  expect(findings[2]).toBe('BNB: the exchange reports 2, the ledger says 0, difference +2');
});

test('an order under way and a rejected one are named', async () => {
  await openWorld();
  await buy();
  world.node.interferences.push({ call: 'POST /api/v3/order', with: 'do_and_break' });
  await hedgeFor(world, 1);
  expect((await report()).findings.join()).toMatch(/btc: order tw[0-9a-f]{24} \(buy 0\.2\) is in flight/);
  world.clock.advance(5);
  await hedgeFor(world, 3);
  await openPosition(world.context, 'eth', dollars(100), '2500');
  const closed = { status: 400, body: { code: -1013, msg: 'Market is closed.' } };
  world.node.interferences.push({ call: 'POST /api/v3/order', with: closed });
  await hedgeFor(world, 1);
  const { rejections, residuals, findings } = await report();
  expect(rejections).toMatchObject([{ symbol: 'eth', reason: expect.stringContaining('Market is closed') }]);
  expect(residuals).toContainEqual({ symbol: 'eth', quantity: '0.040000000000', valueMicros: dollars(100) });
  expect(findings).toEqual([]);
});

test('a residual without a price has no value', async () => {
  await openWorld();
  await sql`update market.mark set price = null, at = null where asset_id = 2`.execute(world.context.db);
  await openPosition(world.context, 'eth', dollars(100), '2500');
  expect(await listResiduals(world.context)).toEqual([
    { symbol: 'eth', quantity: '0.040000000000', valueMicros: null },
  ]);
});

test('an exposure that is not that of the open trades is named, and stops a start', async () => {
  await openWorld();
  await buy();
  await refuseVenueChange(world.context);
  await sql`update trading.exposure set quantity = quantity + 1`.execute(world.context.db);
  expect((await report()).findings.join()).toMatch(/^btc: stored exposure 1\.2\d*, open trades 0\.2/);
  await expect(refuseVenueChange(world.context)).rejects.toThrow('VENUE: open trades were filled on paper');
});

test('a server does not start on paper while trades are open that the exchange hedges', async () => {
  await openWorld();
  const paper = { ...world.context, config: { ...world.context.config, venue: 'paper' as const } };
  await refuseVenueChange(paper);
  const id = await buy();
  await expect(refuseVenueChange(paper)).rejects.toThrow('VENUE: open trades are hedged');
  await closePosition(world.context, id, '50000');
  await refuseVenueChange(paper);
});

test("a wrong secret is said in the exchange's words, without the signature", async () => {
  await openWorld();
  const exchange = await openTestExchange(world.node, { apiKey: 'key-of-the-local-exchange', secret: 'wrong' });
  const venue = await ccxtVenue(world.context, exchange);
  const fault = await reportVenue(world.context, venue).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(VenueFault);
  expect(fault).toMatchObject({ kind: 'unauthorised', message: expect.stringContaining('Signature for this request') });
  expect((fault as Error).message).not.toContain('signature=');
});

test('the venue of the configuration is opened with its keys', async () => {
  await openWorld();
  await buy();
  await hedgeExposure(hedgedBy(world.context, world.node));
  expect(world.node.account.orders).toMatchObject([{ symbol: 'BTCUSDT', side: 'BUY' }]);
});
