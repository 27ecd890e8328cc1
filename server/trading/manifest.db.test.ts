import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, recordMarket, still } from '#test/recorded-market.ts';
import { settle, tradeFee } from './core/settlement.ts';
import { followMarket, placeTrade } from './index.ts';

/** btc rises, eth falls. */
const recording = recordMarket({
  from: '2026-03-04T12:00:00Z',
  minutes: 400,
  candle: (symbol, at) => still(String(100 + (at.getUTCHours() - 12) * (symbol === 'btc' ? 1 : -1))),
  symbols: ['btc', 'eth'],
});
const opened: Awaited<ReturnType<typeof bootTest>>[] = [];
afterAll(async () => {
  for (const { database } of opened) await database.close();
  recording.remove();
});

type Order = readonly [tradeId: string, amount: number];
const orders: readonly (readonly Order[])[] = [
  [
    ['btc', 100],
    ['eth', 50],
  ],
  [['eth', 12.5]],
  [],
];

/** A whole session of three members, two of whom trade. */
async function playSession({
  speed = '3600',
  trades = orders,
  chunkSize,
}: {
  speed?: string;
  trades?: typeof orders;
  chunkSize?: number;
} = {}): Promise<Context> {
  const world = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: '2026-03-04T12:20:00Z',
    MARKET_SPEED: speed,
  });
  opened.push(world);
  const { context } = world;
  for (const own of trades) {
    const { memberId } = await signUp(context);
    await giveFunds(context, memberId, 1_000_000_000n);
    for (const [tradeId, amount] of own)
      await placeTrade(context, memberId, { tradeId, amount, wallet_type: 'primary' });
  }
  const follow = () => followMarket(context, { chunkSize });
  await playUntil(context, '2026-03-04T12:31:00Z', follow);
  await playUntil(context, '2026-03-04T17:30:00Z', follow);
  return context;
}

async function readHash({ db }: Context): Promise<string | null> {
  const { rows } = await sql<{ hash: string | null }>`
    select manifest_hash as hash from trading.session where state = 'settled'`.execute(db);
  return rows[0]?.hash ?? null;
}

const closePrices: Readonly<Record<string, string>> = { btc: '104.947500000000', eth: '94.952500000000' };

/** One line of a block: what a member's trades came to, opened at 100.05. */
function lineOf(own: readonly Order[]): string {
  const trades = own.map(([symbol, dollars]) => {
    const amount = BigInt(dollars * 1e6);
    const fee = tradeFee(amount, 40);
    const closePrice = closePrices[symbol] as string;
    return { amount, fee, ...settle({ amount, fee, openPrice: '100.05', closePrice, performanceBps: 1000 }) };
  });
  const results = trades.map((trade) => trade.result).toSorted((one, other) => (one < other ? -1 : 1));
  const sum = (of: (trade: (typeof trades)[number]) => bigint) =>
    trades.reduce((total, trade) => total + of(trade), 0n);
  return [
    trades.length,
    results.filter((result) => result > 0n).length,
    results.filter((result) => result < 0n).length,
    sum((trade) => trade.amount),
    sum((trade) => trade.result),
    sum((trade) => trade.fee),
    sum((trade) => trade.performanceFee),
    results.at(-1),
    results[0],
  ].join(' ');
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a session has the hash of what its results rest on and came to, the same on every engine', async () => {
  const block = sha256(
    orders
      .filter((own) => own.length > 0)
      .map((own) => `${lineOf(own)}\n`)
      .join(''),
  );
  const text = [
    'session 2026-03-04',
    'rates 40 1000',
    'mark btc 105.000000000000 104.947500000000',
    'mark eth 95.000000000000 94.952500000000',
    `block ${block}`,
    '',
  ].join('\n');
  expect(sha256(text)).toBe('3b2a1fda24419301ae16175c462c73e00fc00f65d926b91824d5bcc2122287ea');
  expect(await readHash(await playSession())).toBe(sha256(text));
});

test('neither the size of chunks nor the pace of the market changes it', async () => {
  const inOne = await readHash(await playSession());
  expect(await readHash(await playSession({ chunkSize: 1 }))).toBe(inOne);
  expect(await readHash(await playSession({ speed: '900' }))).toBe(inOne);
});

test("one result that differs by a cent, or is another member's, changes it", async () => {
  const [first, second, third] = orders as [Order[], Order[], Order[]];
  const trades = [orders, [first, [['eth', 12.51]], third], [second, first, third]] as const;
  const hashes: (string | null)[] = [];
  for (const own of trades) hashes.push(await readHash(await playSession({ trades: own })));
  expect(new Set(hashes).size).toBe(trades.length);
});

test('a session that is not settled has none', async () => {
  const { db } = await playSession();
  const { rows } = await sql`select state, manifest_hash from trading.session where state <> 'settled'`.execute(db);
  expect(rows).toEqual([{ state: 'scheduled', manifest_hash: null }]);
});
