import { describe, expect, test } from 'vitest';
import { exchanges } from '#test/fake-servers/exchange.ts';
import { toText } from '#test/fake-servers/exchange-orders.ts';
import type { OrderTerms } from '../core/execution/batch-plan.ts';
import { expected, faultOf, VenueWorld } from './venue-world.test.fixture.ts';

const DECIMAL = /^\d+(\.\d+)?$/;

describe.each(Object.keys(exchanges))('%s', (id) => {
  const world = new VenueWorld(id);

  describe('the exchange', () => {
    test('has names: its dollar, its coins, EOS as A', () => {
      expect([world.venue.dollar, world.venue.coinOf('btc'), world.venue.coinOf('eos')]).toEqual([
        world.its.dollar,
        'BTC',
        'A',
      ]);
    });

    test('has terms in decimal text, without what it does not list or has halted', async () => {
      world.node.market.pairs.delete(world.node.nameOf('bsv'));
      world.pair('sol').status = 'BREAK';
      const terms = await world.venue.listTerms();
      expect([...terms.keys()]).toEqual(expect.arrayContaining(['btc', 'eth', 'doge', 'eos']));
      expect([terms.has('bsv'), terms.has('sol')]).toEqual([false, false]);
      expect(await world.venue.listPaused()).toEqual(['sol']);
      world.pair('sol').status = 'TRADING';
      expect(await world.venue.listPaused()).toEqual(['sol']);
      world.venue.forgetTerms();
      expect([await world.venue.listPaused(), (await world.venue.listTerms()).has('sol')]).toEqual([[], true]);
      const { isFeeInCoin, ...btc } = terms.get('btc') as OrderTerms;
      expect(Object.values(btc).filter((value) => value !== null && !DECIMAL.test(value))).toEqual([]);
      expect(isFeeInCoin).toBe(world.its.feeCoins[0] === 'received');
      const { stepSize, tickSize, minQuantity } = world.pair();
      expect([btc.stepSize, btc.tickSize, btc.minQuantity].map(Number)).toEqual(
        [stepSize, tickSize, minQuantity].map(Number),
      );
      expect(btc).toMatchObject({ takerFee: world.its.takerFee, maxNotional: world.its.maxNotional });
    });

    test('has an order book: best prices, and the dollars within a slippage of the mid', async () => {
      Object.assign(world.node.account.book, { pieces: 3, slippageBps: 1n, coinsAPiece: '2.00000001' });
      // Levels at 1, 2 and 3 basis points: the last is outside of 2.5.
      const book = await world.venue.readBook('btc', '0.00025');
      expect([Number(book?.bid), Number(book?.ask)]).toEqual([59_994, 60_006]);
      expect(book).toMatchObject({ buyDepth: '240036.00120018', sellDepth: '239964.00119982' });
    });

    test.each(['NaN', 'much', null])('has no order book while an amount in it is %s', async (coinsAPiece) => {
      Object.assign(world.node.account.book, { coinsAPiece });
      expect(await world.venue.readBook('btc', '0.001')).toBeUndefined();
    });

    test('has a price for a coin that is not an asset', async () => {
      world.node.market.pairs.set({ binance: 'BNBUSDT', kraken: 'BNBUSD', okx: 'BNB-USDT' }[id] as string, {
        ...world.pair('sol'),
        base: 'bnb',
        coin: 'BNB',
        lastPrice: '612.35',
      });
      expect(await world.venue.getPrice('BNB')).toBe('612.35');
    });

    test('has balances: total, also of what is owed, and available to orders', async () => {
      world.node.account.balances.set('ETH', 1n).set('LTC', -2n);
      const { total, free } = await world.venue.listBalances();
      expect(Object.fromEntries([...total].map(([coin, amount]) => [coin, Number(amount)]))).toEqual({
        [world.its.dollar]: 100_000,
        BTC: 1,
        BNB: 10,
        ETH: 1e-8,
        LTC: -2e-8,
      });
      expect(total.get('ETH')).toBe('0.00000001');
      expect(Number(free.get(world.its.dollar))).toBe(100_000);
    });
  });

  describe('an order', () => {
    test('is filled, found by our id, and has fills', async () => {
      Object.assign(world.node.account.book, { slippageBps: 3n });
      const order = world.ask();
      const orderId = await world.venue.sendOrder(order);
      const found = await world.venue.findOrder('btc', order.clientOrderId);
      expect(found).toMatchObject({ id: orderId, clientOrderId: order.clientOrderId, isFinal: true });
      expect(Number(found?.filled)).toBe(0.3);
      const fills = await world.venue.listFills('btc', orderId);
      expect(fills).toHaveLength(1);
      expect(fills[0]).toMatchObject({ filledAt: world.clock.now() });
      expect([Number(fills[0]?.quantity), Number(fills[0]?.cost)]).toEqual([0.3, 18_005.4]);
    });

    test('is filled in part; the rest expires', async () => {
      Object.assign(world.node.account.book, { filledBps: 4000n });
      const order = world.ask();
      await world.venue.sendOrder(order);
      expect(await world.venue.findOrder('btc', order.clientOrderId)).toMatchObject({ isFinal: true });
      expect(await world.filledOf(order)).toBe(0.12);
    });

    test('that matches nothing in the book is not filled at all', async () => {
      const order = world.ask({ limitPrice: '59999.9' });
      const orderId = await world.venue.sendOrder(order);
      expect(await world.venue.findOrder('btc', order.clientOrderId)).toMatchObject({ id: orderId, isFinal: true });
      expect(await world.filledOf(order)).toBe(0);
      expect(await world.venue.listFills('btc', orderId)).toEqual([]);
    });

    test('sells', async () => {
      const order = world.ask({ side: 'sell', quantity: '0.5', limitPrice: '59820' });
      const [fill] = await world.venue.listFills('btc', await world.venue.sendOrder(order));
      expect([Number(fill?.quantity), Number(fill?.cost)]).toEqual([0.5, 30_000]);
      const { free } = await world.venue.listBalances();
      expect(Number(free.get('BTC'))).toBe(0.5);
    });

    test.each(world.its.feeCoins.flatMap((feeCoin) => [[feeCoin, 'buy'] as const, [feeCoin, 'sell'] as const]))(
      'has its fee in the coin it was charged in: %s, %s',
      async (feeCoin, side) => {
        Object.assign(world.node.account.book, { feeCoin });
        const order = world.ask({ side, quantity: '0.1', limitPrice: side === 'buy' ? '60180' : '59820' });
        const [fill] = await world.venue.listFills('btc', await world.venue.sendOrder(order));
        const bps = Number(world.node.account.book.feeBps);
        const wanted =
          feeCoin === 'BNB'
            ? ['BNB', (bps * 6) / 100]
            : feeCoin === 'received' && side === 'buy'
              ? ['BTC', bps / 100_000]
              : [world.its.dollar, (bps * 6) / 10];
        expect([fill?.feeCoin, Number(fill?.feeQuantity)]).toEqual(wanted);
        expect(fill?.feeQuantity).toMatch(DECIMAL);
      },
    );

    test.each([20, 40, 100, 120])('with %i fills lists each of them once, oldest first', async (pieces) => {
      Object.assign(world.node.account.book, { pieces, coinsAPiece: '0.0005' });
      const quantity = String((pieces * 5) / 10_000);
      const orderId = await world.venue.sendOrder(world.ask({ quantity, limitPrice: '61800' }));
      const fills = await world.venue.listFills('btc', orderId);
      expect(fills).toHaveLength(pieces);
      expect(new Set(fills.map(({ tradeId }) => tradeId)).size).toBe(pieces);
      const costs = fills.map(({ cost }) => Number(cost));
      expect(costs).toEqual(costs.toSorted((a, b) => a - b));
    });

    test('keeps every digit: no floating-point noise, no exponent', async () => {
      Object.assign(world.pair(), { stepSize: '0.00000001', minQuantity: '0.00000001', minNotional: '0' });
      await world.restart();
      const terms = (await world.venue.listTerms()).get('btc');
      expect(Number(terms?.stepSize)).toBe(1e-8);
      expect(terms?.stepSize).toMatch(/^0\.0+1/);
      const whole = world.ask({ quantity: '0.30000003', limitPrice: '60180.1' });
      const [fill] = await world.venue.listFills('btc', await world.venue.sendOrder(whole));
      expect(toText(world.node.account.orders[0]?.quantity ?? 0n)).toBe('0.30000003');
      expect(toText(world.node.account.orders[0]?.limit ?? 0n)).toBe('60180.10000000');
      expect([fill?.quantity, fill?.cost].map((text) => text?.replace(/0+$/, ''))).toEqual([
        '0.30000003',
        '18000.0018',
      ]);
      const least = world.ask({ quantity: '0.00000001', limitPrice: '60180' });
      const [dust] = await world.venue.listFills('btc', await world.venue.sendOrder(least));
      expect(dust?.quantity).toBe('0.00000001');
      expect(dust?.feeQuantity).toMatch(DECIMAL);
    });

    test('that was never sent is undefined', async () => {
      expect(await world.venue.findOrder('btc', world.nextId())).toBeUndefined();
    });

    test('of a pair that was delisted since is found with its fills, or refused where it is found by its pair', async () => {
      const order = world.ask();
      const orderId = await world.venue.sendOrder(order);
      const find = () => world.venue.findOrder('btc', order.clientOrderId);
      const [found, fills] = [await find(), await world.venue.listFills('btc', orderId)];
      world.node.market.pairs.delete(world.node.nameOf('btc'));
      await world.restart();
      if (id !== 'kraken') return expect(await faultOf(find())).toMatchObject({ kind: 'refused' });
      expect(await find()).toEqual(found);
      expect(await world.venue.listFills('btc', orderId)).toEqual(fills);
      expect(await faultOf(world.venue.findOrder('btc', world.nextId()))).toMatchObject({ kind: 'refused' });
    });

    test('that stays in the book is not final, and is cancelled', async () => {
      Object.assign(world.node.account.book, { keepsRest: true, filledBps: 5000n });
      const order = world.ask();
      await world.venue.sendOrder(order);
      expect(await world.venue.findOrder('btc', order.clientOrderId)).toMatchObject({ isFinal: false });
      await world.venue.cancelOrder('btc', order.clientOrderId);
      expect(await world.venue.findOrder('btc', order.clientOrderId)).toMatchObject({ isFinal: true });
      expect(await world.filledOf(order)).toBe(0.15);
    });

    test('is filled once, however often it is sent', async () => {
      const order = world.ask();
      await world.venue.sendOrder(order);
      expect(await faultOf(world.venue.sendOrder(order))).toMatchObject({ kind: 'unknown' });
      // Another process that sends the same: the exchange refuses an id that is open, and an order that comes late.
      Object.assign(world.node.account.book, { keepsRest: true, filledBps: 5000n });
      const open = world.ask();
      await world.venue.sendOrder(open);
      await world.restart();
      expect(await faultOf(world.venue.sendOrder(open))).toMatchObject({ kind: 'unknown' });
      expect(world.node.account.orders).toHaveLength(2);
    });
  });
});

test('every supported exchange has an entry here', () => {
  expect(Object.keys(expected)).toEqual(Object.keys(exchanges));
});
