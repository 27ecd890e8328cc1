import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { settle, tradeFee } from '../core/settlement.ts';
import { type Order, orders, readHash, runSession } from './digest-session.test-setup.ts';

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
  expect(await readHash(await runSession())).toBe(sha256(text));
});

test('a session that is not settled has none', async () => {
  const { db } = await runSession();
  const rows = await listRows(db)`select state, manifest_hash from trading.session where state <> 'settled'`;
  expect(rows).toEqual([{ state: 'scheduled', manifest_hash: null }]);
});
