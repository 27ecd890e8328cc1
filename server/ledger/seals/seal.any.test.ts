import { beforeEach, expect, test } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { tamper } from '#test/worlds/tamper.ts';
import { deposit, house, openMembers, place, postAll, postOne, transfer } from '../ledger-world.test-setup.ts';
import { getHouseBalance, getHouseBalances } from '../posting/accounts.ts';
import { verifyLedger } from '../verify/verify.ts';
import { sealLedger, transferHash } from './seal.ts';
import { findLastSeal, listCheckpoints, type StoredTransfer, streamTransfers } from './seal-sql.ts';

let database: Database;

beforeEach(async () => {
  database = await openTestDatabase();
  await openMembers(database.db, [1n]);
  return () => database.close();
});

const EVERYTHING = { fromTx: 0n, toTx: 2n ** 62n };

async function readTransfers(): Promise<StoredTransfer[]> {
  const all: StoredTransfer[] = [];
  for await (const chunk of streamTransfers(database.db, EVERYTHING)) all.push(...chunk);
  return all;
}

test('the hash that the database stores is the one computed here from the fields', async () => {
  const odd = { reference: 'é ✓ "', note: '' };
  await postOne(database.db, { ...deposit('one', 1n, 5n), ...odd });
  await postAll(database.db, [place('two', 1n, 1n), { ...deposit('three', 1n, 5n), note: 'noted' }]);
  await postAll(database.db, [
    { ...deposit('old', 1n, 9_000_000_000_000_000n), marketAt: new Date('1999-12-31T23:59:59.999Z') },
  ]);
  const rows = await readTransfers();
  expect(rows.map((row) => row.key)).toEqual(['one', 'two', 'three', 'old']);
  for (const row of rows) expect(transferHash(row).equals(row.hash)).toBe(true);
});

test('a seal covers what was posted since the previous one and is chained to it; without new transfers there is no seal', async () => {
  const clock = testClock();
  const context = testContext(database, clock);
  expect(await sealLedger(context)).toBeUndefined();
  await postAll(database.db, [deposit('a', 1n, 5n), place('b', 1n, 2n)]);
  const first = await sealLedger(context);
  expect(first).toMatchObject({ no: 1n, transferCount: 2n });
  expect(await sealLedger(context)).toBeUndefined();
  clock.advance(60);
  await postOne(database.db, deposit('c', 1n, 1n));
  const second = await sealLedger(context);
  expect(second).toMatchObject({ no: 2n, transferCount: 1n });
  const stored = await findLastSeal(database.db);
  expect(stored?.previous_hash.toString('hex')).toBe(first?.hash);
  expect(stored?.hash.toString('hex')).toBe(second?.hash);
  expect(stored?.sealed_at_micros).toBe(BigInt(clock.now().getTime()) * 1000n);
  expect(await verifyLedger(database.db)).toEqual([]);
});

test('an account opened later has checkpoints from its first transfer on, so that older seals still verify', async () => {
  const context = testContext(database, testClock());
  const post = [
    deposit('a', 1n, 5n),
    transfer('fee', house('gateway_result'), house('gateway'), 2n, 'network_fee'),
    deposit('b', 1n, 5n),
  ];
  for (const one of post) {
    await postOne(database.db, one);
    await sealLedger(context);
  }
  const balanceAt = async (no: bigint) =>
    (await listCheckpoints(database.db, no)).find((checkpoint) => checkpoint.class === 18)?.balance;
  expect([await balanceAt(1n), await balanceAt(2n), await balanceAt(3n)]).toEqual([undefined, -2n, -2n]);
  expect((await getHouseBalances(database.db)).gateway_result).toBe(-2n);
  expect(await verifyLedger(database.db)).toEqual([]);
});

test('more rows than one chunk are sealed as one', async () => {
  await postAll(
    database.db,
    Array.from({ length: 12_001 }, (_, index) => deposit(`many ${index}`, 1n, 1n)),
  );
  expect(await sealLedger(testContext(database))).toMatchObject({ transferCount: 12_001n });
  expect(await verifyLedger(database.db)).toEqual([]);
});

test('a house balance is the last checkpoint plus what was posted since', async () => {
  await postOne(database.db, deposit('a', 1n, 500n));
  await sealLedger(testContext(database));
  expect(await listCheckpoints(database.db, 1n)).toContainEqual({ seal_no: 1n, class: 6, balance: -500n });
  await postAll(database.db, [
    deposit('b', 1n, 7n),
    transfer('c', house('venue'), house('gateway'), 100n, 'venue_fund'),
  ]);
  expect(await getHouseBalance(database.db, 'gateway')).toBe(-407n);
  await sealLedger(testContext(database));
  expect(await getHouseBalance(database.db, 'gateway')).toBe(-407n);
  expect(await getHouseBalance(database.db, 'venue')).toBe(-100n);
  expect((await getHouseBalances(database.db)).fee_revenue).toBe(0n);
  // It reads the checkpoint and not the whole history.
  await tamper(database, 'update ledger.checkpoint set balance = 1 where seal_no = 2 and class = 6');
  expect(await getHouseBalance(database.db, 'gateway')).toBe(1n);
});

test('a ledger restored into a cluster with lower transaction numbers refuses to seal and to state house balances', async () => {
  await postOne(database.db, deposit('a', 1n, 5n));
  await sealLedger(testContext(database));
  await tamper(database, 'update ledger.seal set horizon = horizon + 1000000000');
  await expect(sealLedger(testContext(database))).rejects.toThrow('higher transaction numbers');
  await expect(getHouseBalance(database.db, 'gateway')).rejects.toMatchObject({ code: 'LG005' });
});
