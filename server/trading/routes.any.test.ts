import { expect, test } from 'vitest';
import { mountMarket } from '#server/market/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';
import { mountTrading } from './index.ts';

const world = closeAfterAll(
  await openTradingWorld({
    from: '2026-03-03T12:00:00Z',
    minutes: 1840,
    candle: (_, at) => still(at.getUTCDate() === 3 ? '80' : '100'),
    dollars: 100,
  }),
);

const app = closeAfterAll(await testApp(world.context, mountTrading, mountMarket));
const { ann } = world;
const bob = await world.member('Bob', 0);

const trade = (body: unknown, token = ann.token, headers: Record<string, string> = {}) =>
  app.ask('POST', 'trading/do-trade', { token, body, headers });
const fine = { tradeId: 'btc', amount: 10, wallet_type: 'primary' };
const inProfit = (amount: number) => ({ ...fine, amount, wallet_type: 'profit' });

test('GET trade lists what can be traded now', async () => {
  const { status, body } = await app.ask('GET', 'trade', { token: ann.token });
  expect(status).toBe(200);
  expect(body.data).toEqual([
    { id: 'btc', name: 'btc/usdt', logo: '/icons/btc.svg', percentage: 25 },
    { id: 'eth', name: 'eth/usdt', logo: '/icons/eth.svg', percentage: 25 },
  ]);
});

test('GET trading/session is public', async () => {
  const { status, body } = await app.ask('GET', 'trading/session');
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    state: 'closed',
    opens_at: '2026-03-04T12:30:00.000Z',
    closes_at: '2026-03-04T17:30:00.000Z',
    market_time: '2026-03-04T12:20:00.000Z',
    feed: { kind: 'replay', label: 'Replay', ended: false },
  });
});

test.each([
  [{ amount: 10, wallet_type: 'primary' }, 'trade_not_selected', 'Please select a trade.', 'tradeId'],
  [{ ...fine, tradeId: '' }, 'trade_not_selected', 'Please select a trade.', 'tradeId'],
  [{ ...fine, tradeId: 'xyz', amount: 0 }, 'trade_not_selected', 'Please select a trade.', 'tradeId'],
  // A pair without prices begins switched off.
  [{ ...fine, tradeId: 'doge' }, 'trade_not_selected', 'Please select a trade.', 'tradeId'],
  [{ ...fine, tradeId: 'x'.repeat(300) }, 'trade_not_selected', 'Please select a trade.', 'tradeId'],
  [{ ...fine, amount: 4.999999 }, 'trade_under_primary_minimum', 'Min amount for trade is 5$.', 'amount'],
  [inProfit(0.999999), 'trade_under_profit_minimum', 'Min amount for trade is 1$.', 'amount'],
  [inProfit(1), 'insufficient_funds', 'Insufficient balance.', 'amount'],
  [{ ...fine, amount: 100.000001 }, 'insufficient_funds', 'Insufficient balance.', 'amount'],
])('do-trade with %j answers 422 %s, and nothing moves', async (body, code, message, field) => {
  const answer = await trade(body);
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ status: 'error', code, message, validation_results: [{ field, message }] });
  expect(await world.balances()).toMatchObject({ primary: 100_000_000n, profit: 0n, trade_escrow: 0n });
  expect(await world.trades()).toEqual([]);
});

test.each([
  ['wallet_type', 'investment', 'Choose primary or profit.'],
  ['tradeId', 7, 'Please select a trade.'],
])('do-trade with the %s %j says what to choose', async (field, value, message) => {
  expect(await trade({ ...fine, [field]: value })).toMatchObject(refusal(422, 'validation', field, message));
});

test('do-trade answers the trade; the same key answers the same again, and another body is refused', async () => {
  const headers = { 'idempotency-key': 'first' };
  const first = await trade(fine, ann.token, headers);
  expect([first.status, first.body.status]).toEqual([200, 'success']);
  expect(first.body.data).toMatchObject({ symbol: 'btc', amount: 10, state: 'queued' });
  expect((await trade(fine, ann.token, headers)).body).toEqual(first.body);
  expect((await trade({ ...fine, amount: 11 }, ann.token, headers)).body.code).toBe('idempotency_mismatch');
  const list = await app.ask('GET', 'trading/fetch-user-trade', { token: ann.token });
  expect(list.body.data).toMatchObject({ items: [{ id: first.body.data.id }], next_cursor: null });
});

test('balances and wallets follow', async () => {
  const ask = async (path: string) => (await app.ask('GET', path, { token: ann.token })).body.data;
  expect(await ask('auth/wallet-balance')).toEqual({ primary_wallet: 90, profit_wallet: 0 });
  expect(await ask('auth/wallet-summary')).toMatchObject({ deposited: 100, in_trades: 10, net_worth: 100 });
  expect(await ask('trading/portfolio')).toMatchObject({ net_worth: 100, positions: [] });
});

test('a foreign, unknown or odd trade cannot be cancelled or closed', async () => {
  const { id } = (await trade(fine)).body.data;
  for (const action of ['cancel', 'close']) {
    const ask = async (token: string, which: string) => {
      const { status, body } = await app.ask('POST', `trading/${which}/${action}`, { token });
      return [status, body.code];
    };
    expect(await ask(bob.token, id)).toEqual([404, 'trade_not_found']);
    expect(await ask(ann.token, '424242')).toEqual([404, 'trade_not_found']);
    expect(await ask(ann.token, 'abc')).toEqual([422, 'validation']);
  }
});

test('cancel and close answer the trade, or why not', async () => {
  const { id } = (await trade(fine)).body.data;
  const act = async (action: string, which: string = id) => {
    const { status, body } = await app.ask('POST', `trading/${which}/${action}`, { token: ann.token });
    return status === 200 ? body.data : [status, body.code];
  };
  expect(await act('close')).toEqual([409, 'trade_not_open']);
  expect(await act('cancel')).toMatchObject({ id, state: 'cancelled', cancel_reason: 'member' });
  expect(await act('cancel')).toEqual([409, 'trade_not_queued']);
  const other = (await trade(fine)).body.data.id;
  await world.play('12:31:00');
  expect(await act('cancel', other)).toEqual([409, 'trade_not_queued']);
  expect(await act('close', other)).toMatchObject({ state: 'open', closing: true, open_price: 100.05 });
  await world.play('12:31:15');
  expect(await act('close', other)).toEqual([409, 'trade_not_open']);
});

test('fetch-user-trade filters and pages, and refuses what is no filter', async () => {
  const list = async (query: string) =>
    (await app.ask('GET', `trading/fetch-user-trade?${query}`, { token: ann.token })).body;
  expect((await list('state=cancelled')).data.items).toHaveLength(1);
  expect((await list('symbol=eth')).data.items).toEqual([]);
  const page = (await list('limit=1')).data;
  expect((await list(`limit=1&cursor=${page.next_cursor}`)).data.items[0].id).not.toBe(page.items[0].id);
  for (const bad of ['state=x', 'limit=0', 'limit=101', 'cursor=abc', 'symbol=BTC!', 'nonsense=1']) {
    expect([bad, (await list(bad)).code]).toEqual([bad, 'validation']);
  }
});
