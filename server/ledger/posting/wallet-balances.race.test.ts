import { expect, test } from 'vitest';
import { deposit, house, of, openLedger, openMembers, postOne, transfer } from '../ledger-world.test-setup.ts';
import { getWalletBalances } from './accounts.ts';

const MEMBERS = 12;
const ROUNDS = 40;

const { db } = await openLedger();

test('a reader sees a deposit that was just acknowledged, while all others deposit and read', async () => {
  const ids = Array.from({ length: MEMBERS }, (_, index) => BigInt(index + 1));
  await openMembers(db, ids);
  const wrong: string[] = [];
  await Promise.all(
    ids.map(async (id) => {
      for (let round = 1n; round <= ROUNDS; round += 1n) {
        await postOne(db, deposit(`${id}/${round}`, id, id));
        const read = await Promise.all([getWalletBalances(db, id), getWalletBalances(db, id)]);
        const expected = id * round;
        for (const { primary, profit } of read)
          if (primary !== expected || profit !== 0n) wrong.push(`${id}: ${primary}, ${profit} instead of ${expected}`);
      }
    }),
  );
  expect(wrong).toEqual([]);
});

test('in a batched read a member without accounts is refused, and the others get their own two wallets', async () => {
  const [rich, both, nobody] = [101n, 102n, 103n];
  await openMembers(db, [rich, both]);
  await postOne(db, deposit('rich', rich, 70n));
  await postOne(db, deposit('both', both, 30n));
  await postOne(db, transfer('profit', house('adjustments'), of(both, 'profit'), 20n, 'correction'));
  const read = await Promise.allSettled([rich, nobody, both].map((id) => getWalletBalances(db, id)));
  expect(read).toMatchObject([
    { status: 'fulfilled', value: { primary: 70n, profit: 0n } },
    { status: 'rejected', reason: { message: 'member 103 has no ledger accounts' } },
    { status: 'fulfilled', value: { primary: 30n, profit: 20n } },
  ]);
});
