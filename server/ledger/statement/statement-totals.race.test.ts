import { expect, test } from 'vitest';
import { inSnapshot } from '#server/db/tx.ts';
import { deposit, of, openLedger, place, postAll, transfer } from '../ledger-world.test-setup.ts';
import { listStatement } from './statement.ts';
import { sumStatement } from './statement-totals.ts';

const WRITERS = 4;
const ROUNDS = 40;

const database = await openLedger(1n);
await postAll(database.db, [deposit('first', 1n, 1_000_000n)]);

/** Trades placed and returned, two lines each in two wallets, with a deposit in between. */
async function write(writer: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const key = `${writer}/${round}`;
    await postAll(database.db, [place(`${key}/place`, 1n, 1_000n), deposit(`${key}/deposit`, 1n, 7n)]);
    await postAll(database.db, [
      transfer(`${key}/return`, of(1n, 'trade_escrow'), of(1n, 'primary'), 1_000n, 'trade_return'),
    ]);
  }
}

test('a statement read while money moves adds up, and its lines match its sums', async () => {
  let writing = true;
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(() => {
    writing = false;
  });
  const counts: number[] = [];
  do {
    // Both in one snapshot: the totals throw when they do not add up.
    const { totals, lines } = await inSnapshot(database.db, async (tx) => {
      const read = await sumStatement(tx, { memberId: 1n });
      return { totals: read, lines: await listStatement(tx, { memberId: 1n, to: read.to, limit: 10_000 }) };
    });
    const net = totals.sums.reduce((all, sum) => all + sum.receivedMicros - sum.spentMicros, 0n);
    expect(lines.reduce((all, line) => all + line.signedMicros, 0n)).toBe(net);
    expect(totals.sums.reduce((all, sum) => all + sum.lines, 0)).toBe(lines.length);
    counts.push(lines.length);
  } while (writing);
  await writers;
  const { sums, closing } = await inSnapshot(database.db, (tx) => sumStatement(tx, { memberId: 1n }));
  expect(closing.primary).toBe(1_000_000n + BigInt(WRITERS * ROUNDS * 7));
  expect(sums.reduce((all, sum) => all + sum.lines, 0)).toBe(1 + WRITERS * ROUNDS * 5);
  expect(new Set(counts).size).toBeGreaterThan(2);
});
