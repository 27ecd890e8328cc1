import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { changeSpread } from '#server/market/index.ts';
import { type Order, orders, readHash, runSession } from './digest-session.test-setup.ts';

let played: ReturnType<typeof readHash> | undefined;
/** Of the session as it is, played once for all tests. */
const undisturbed = () => (played ??= runSession().then(readHash));

test('neither the size of chunks nor the pace of the market changes it', async () => {
  expect(await readHash(await runSession({ chunkSize: 1 }))).toBe(await undisturbed());
  expect(await readHash(await runSession({ speed: 900 }))).toBe(await undisturbed());
});

test('a spread that is changed while the session is open moves nothing of it', async () => {
  const inside = ({ db, now }: Context) =>
    inTransaction(db, async (tx) => {
      for (const symbol of ['btc', 'eth'])
        await changeSpread(tx, { symbol, version: 1, spreadBps: 900, reason: 'test', operatorId: 1n, at: now() });
    });
  expect(await readHash(await runSession({ inside }))).toBe(await undisturbed());
});

test("one result that differs by a cent, or is another member's, changes it", async () => {
  const [first, second, third] = orders as [Order[], Order[], Order[]];
  const trades = [
    [first, [['eth', 12.51]], third],
    [second, first, third],
  ] as const;
  const hashes = [await undisturbed()];
  for (const own of trades) hashes.push(await readHash(await runSession({ trades: own })));
  expect(new Set(hashes).size).toBe(1 + trades.length);
});
