import { describe, expect, test } from 'vitest';
import { exchanges } from '#test/fake-servers/exchange.ts';
import { moveCoins, placeOrder, toUnits } from '#test/fake-servers/exchange-orders.ts';
import type { StatementLine } from './venue-port.ts';
import { faultOf, VenueWorld } from './venue-world.test.fixture.ts';

const DECIMAL = /^-?\d+(\.\d+)?$/;

describe.each(Object.keys(exchanges))('%s', (id) => {
  const world = new VenueWorld(id);
  const instantIn = (seconds: number) => new Date(world.clock.now().getTime() + seconds * 1000);
  /** The last hour, and the next minute. */
  const read = () => world.venue.listStatement(instantIn(-3600), instantIn(60));
  const at = (seconds = 0) => instantIn(seconds).getTime();
  const numbersOf = ({ quantity, cost, fee, amount }: StatementLine) =>
    [quantity, cost, fee, amount].map((text) => (text === null ? null : Number(text)));

  test('a statement lists each fill as the order does, with its order', async () => {
    Object.assign(world.node.account.book, { pieces: 3 });
    const orderId = await world.venue.sendOrder(world.ask());
    const sale = await world.venue.sendOrder(world.ask({ side: 'sell', quantity: '0.1', limitPrice: '59820' }));
    const lines = await read();
    expect(lines).toHaveLength(6);
    for (const [order, side] of [[orderId, 'buy'] as const, [sale, 'sell'] as const])
      expect(
        lines
          .filter((line) => line.orderId === order)
          .map((line) => [
            line.kind,
            line.id,
            line.symbol,
            line.coin,
            line.side,
            line.quantity,
            line.cost,
            line.fee,
            line.feeCoin,
            line.at,
          ])
          .toSorted(),
      ).toEqual(
        (await world.venue.listFills('btc', order))
          .map((fill) => [
            'fill',
            fill.tradeId,
            'btc',
            'BTC',
            side,
            fill.quantity,
            fill.cost,
            fill.feeQuantity,
            fill.feeCoin,
            fill.filledAt,
          ])
          .toSorted(),
      );
  });

  test.each(['btc', 'sol'])(
    'a fill in a pair that was delisted since (%s) is listed as before, unless fills are listed by pair',
    async (symbol) => {
      const { account, market, nameOf } = world.node;
      world.pair(symbol).lastPrice = '100';
      const order = { clientId: 'one', side: 'BUY', quantity: toUnits('2'), limit: toUnits('110') } as const;
      placeOrder(account, market, { ...order, symbol: nameOf(symbol) });
      const listed = await read();
      expect(listed).toMatchObject([{ kind: 'fill', symbol }]);
      market.pairs.delete(nameOf(symbol));
      await world.restart();
      expect(await read()).toEqual(id === 'binance' ? [] : listed);
    },
  );

  test('it includes orders that were not sent from here', async () => {
    const { account, market } = world.node;
    placeOrder(account, market, {
      symbol: world.node.nameOf('eth'),
      clientId: 'by-hand',
      side: 'BUY',
      quantity: toUnits('2'),
      limit: toUnits('3100'),
    });
    expect(await read()).toMatchObject([{ kind: 'fill', symbol: 'eth', coin: 'ETH', side: 'buy' }]);
  });

  test('it has deposits and withdrawals with their payment outside, and fees as lines of their own', async () => {
    const { account } = world.node;
    const coin = world.its.dollar;
    moveCoins(account, { kind: 'deposit', coin, amount: '5000.5', at: at(), transaction: 'tx-in-1' });
    moveCoins(account, { kind: 'withdrawal', coin, amount: '-250.25', fee: '1.5', at: at(1), transaction: 'tx-out-1' });
    moveCoins(account, { kind: 'other', coin, amount: '0.00000012', at: at(2) });
    const lines = await read();
    const isNamed = id !== 'okx';
    expect(lines.map(({ kind, coin: moved, transaction }) => [kind, moved, isNamed && transaction])).toEqual([
      ['transfer_in', coin, isNamed && 'tx-in-1'],
      ['transfer_out', coin, isNamed && 'tx-out-1'],
      ...(isNamed ? [['other', coin, 'tx-out-1']] : []),
      ['other', coin, id === 'kraken' ? 'payment-2' : isNamed && null],
    ]);
    const sum = (kinds: readonly string[]) =>
      lines.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + Number(amount), 0);
    expect(sum(['transfer_in'])).toBe(5000.5);
    expect(sum(['transfer_out', 'other'])).toBeCloseTo(-251.74999988, 10);
    expect(lines.flatMap(({ amount }) => (amount === null || DECIMAL.test(amount) ? [] : [amount]))).toEqual([]);
    expect(lines.every(({ word, id: line }) => word !== '' && line !== '')).toBe(true);
  });

  test('it has only what is in its period, end excluded', async () => {
    const { account } = world.node;
    for (const seconds of [-7200, -3600, 0, 60, 120])
      moveCoins(account, {
        kind: 'deposit',
        coin: world.its.dollar,
        amount: String(10_000 + seconds),
        at: at(seconds),
      });
    expect((await read()).map(({ amount }) => Number(amount))).toEqual([6400, 10_000]);
  });

  test('it spans days and pages, with each line once, oldest first', async () => {
    const { account, market } = world.node;
    account.balances.set('BTC', toUnits('1000'));
    Object.assign(world.node.account.book, { pieces: 60, coinsAPiece: '0.0005' });
    world.pair().lastPrice = '60000';
    const start = world.clock.now();
    for (let day = 0; day < 4; day += 1) {
      for (let order = 0; order < (day === 1 ? 20 : 2); order += 1) {
        placeOrder(account, market, {
          symbol: world.node.nameOf('btc'),
          clientId: world.nextId(),
          side: 'SELL',
          quantity: toUnits('0.03'),
          limit: toUnits('50000'),
        });
        moveCoins(account, { kind: 'other', coin: world.its.dollar, amount: '0.01', at: at() });
        world.clock.advance(60);
      }
      world.clock.advance(86_400);
    }
    const lines = await world.venue.listStatement(start, world.clock.now());
    expect(new Set(lines.map(({ kind, id: line }) => `${kind} ${line}`)).size).toBe(lines.length);
    expect(lines.filter(({ kind }) => kind === 'fill')).toHaveLength(26 * 60);
    expect(lines.filter(({ kind }) => kind === 'other')).toHaveLength(26);
    expect(lines.map((line) => line.at.getTime())).toEqual(
      lines.map((line) => line.at.getTime()).toSorted((one, other) => one - other),
    );
  });

  const word = { binance: 'qty', kraken: 'vol', okx: 'fillSz' }[id] as string;
  const named = { binance: 'id', kraken: 'postxid', okx: 'tradeId' }[id] as string;
  test.each([
    ['a quantity that is NaN', { fill: { [word]: 'NaN' } }],
    ['a negative fill', { fill: { [word]: '-0.3' } }],
    ['a fill without a quantity', { fill: { [word]: null } }],
    ['two fills with the same id', { fill: { [named]: '1' } }, id !== 'kraken'],
    ['an amount that is NaN', { movement: { amount: 'NaN', balChg: 'NaN' } }],
    ['a missing amount', { movement: { amount: null, balChg: null } }],
    ['a line without a time', { movement: { insertTime: 'soon', time: 'soon', ts: 'soon' } }],
  ] as const)('a statement with %s is unreadable', async (_, lies, applies: boolean = true) => {
    Object.assign(world.node.account.book, { pieces: 2 });
    await world.venue.sendOrder(world.ask());
    moveCoins(world.node.account, { kind: 'deposit', coin: world.its.dollar, amount: '10', at: at() });
    world.node.lies.push(lies);
    if (applies) expect(await faultOf(read())).toMatchObject({ name: 'VenueFault', kind: 'unreadable' });
    world.node.lies.length = 0;
    expect((await read()).map(numbersOf)).toHaveLength(3);
  });

  test.each(['statement', 'movements'] as const)('a statement without its content (%s) is unreadable', async (call) => {
    await read();
    world.plan(call, { status: 200, body: id === 'kraken' ? { error: [], result: {} } : {} });
    expect(await faultOf(read())).toMatchObject({ kind: 'unreadable' });
    expect(await read()).toEqual([]);
  });

  test.each(['statement', 'movements'] as const)(
    'a statement that cannot be fetched (%s) is not an empty one',
    async (call) => {
      await read();
      for (const [answer, kinds] of [
        [world.node.answers.tooMany, ['not_taken']],
        // For a key that just worked, ccxt takes Binance’s refusal for a ban.
        [world.node.answers.badKey, ['unauthorised', 'not_taken']],
        [world.node.answers.maintenance, ['unreachable', 'unknown']],
        ['break', ['unreachable', 'unknown']],
      ] as const) {
        world.plan(call, answer);
        expect(kinds).toContain((await faultOf(read())).kind);
        world.clock.advance(world.its.retryAfterMs / 1000);
      }
      expect(await read()).toEqual([]);
    },
  );
});
