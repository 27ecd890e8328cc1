import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { deposit, openLedger, place, postOne, refusedBy, reverseOne } from '../ledger-world.test-setup.ts';
import { listStatement, sumTransfers } from '../statement/statement.ts';
import { getBalances, getHouseBalance } from './accounts.ts';

const { db } = await openLedger(1n, 2n, 3n, 4n);

const undo = (transferId: bigint, key: string) => reverseOne(db, transferId, key);

test('a reversal is the exact opposite and appears in the statement as such', async () => {
  const posted = await postOne(db, deposit('1/deposit', 1n, 100n));
  const reversal = await undo(posted.id, '1/reverse');
  expect(reversal).toMatchObject({ fromBalanceAfterMicros: 0n, toBalanceAfterMicros: null });
  expect(await getHouseBalance(db, 'gateway')).toBe(0n);
  const [line] = await listStatement(db, { memberId: 1n, limit: 1 });
  expect(line).toMatchObject({
    reason: 'reversal',
    class: 'primary',
    signedMicros: -100n,
    balanceAfterMicros: 0n,
    note: 'two operators',
  });
  expect(await sumTransfers(db, { memberId: 1n, side: 'credit', reasons: ['deposit'] })).toBe(0n);
});

test('a transfer is reversed once: the same key returns the first result, another key is refused', async () => {
  const posted = await postOne(db, deposit('2/deposit', 2n, 100n));
  await postOne(db, deposit('2/more', 2n, 100n));
  const first = await undo(posted.id, '2/reverse');
  expect(await undo(posted.id, '2/reverse')).toEqual(first);
  expect(await refusedBy(undo(posted.id, '2/again'))).toBe('transfer_reversed_once');
  expect(await getBalances(db, 2n)).toMatchObject({ primary: 100n });
});

test('a reversal cannot be reversed', async () => {
  const posted = await postOne(db, deposit('3/deposit', 3n, 100n));
  const reversal = await undo(posted.id, '3/reverse');
  expect(await refusedBy(undo(reversal.id, '3/back'))).toBe('transfer_reversal_is_opposite');
});

test('money that the member no longer has cannot be reversed', async () => {
  const posted = await postOne(db, deposit('4/deposit', 4n, 100n));
  await postOne(db, place('4/place', 4n, 1n));
  await expect(undo(posted.id, '4/reverse')).rejects.toEqual(new Refused('insufficient_funds'));
});

test('a reversal of an unknown transfer, of another amount, or to another account is refused', async () => {
  await expect(undo(987_654n, 'x')).rejects.toThrow('transfer 987654 does not exist');
  const posted = await postOne(db, deposit('4/second', 4n, 100n));
  const member = 4 * 32 + 1;
  for (const [from, to, amount, reverses] of [
    [member, 6, 99, posted.id],
    [member, 17, 100, posted.id],
    [6, member, 100, posted.id],
    [member, 6, 100, 987_654n],
  ] as const) {
    const forged = sql`select * from ledger.post(array[row('forged', ${from}::bigint, ${to}::bigint, ${amount}::bigint, 'reversal', '', now(), null, ${reverses}::bigint)::ledger.draft])`;
    expect(await refusedBy(forged.execute(db))).toBe('transfer_reversal_is_opposite');
  }
});
