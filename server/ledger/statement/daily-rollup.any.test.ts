import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testContext } from '#test/worlds/builders.ts';
import { tamper } from '#test/worlds/tamper.ts';
import { deposit, house, of, openMembers, place, postAll, reverseOne, transfer } from '../ledger-world.test-setup.ts';
import { getHouseBalances } from '../posting/accounts.ts';
import { sealLedger } from '../seals/seal.ts';
import { verifyLedger } from '../verify/verify.ts';
import { listFlows, listStoredRollups, sumFlows } from './daily-rollup.ts';

let database: Database;

beforeEach(async () => {
  database = await openTestDatabase();
  await openMembers(database.db, [1n, 2n]);
  return () => database.close();
});

const on = (day: string) => ({ marketAt: new Date(`${day}T23:59:59.999Z`) });
const seal = () => sealLedger(testContext(database));
const fee = (key: string, amountMicros: bigint) =>
  transfer(key, of(1n, 'trade_escrow'), house('trade_fees'), amountMicros, 'trade_fee');

/** Three days: 1000 + 500 deposited on the 3rd, 400 of it placed on the 4th, the 500 reversed on the 5th. */
async function fillThreeDays(afterEachDay: () => Promise<unknown>): Promise<void> {
  const { db } = database;
  const [, second] = await postAll(db, [
    { ...deposit('first', 1n, 1000n), ...on('2026-03-03') },
    { ...deposit('second', 2n, 500n), ...on('2026-03-03') },
  ]);
  await afterEachDay();
  await postAll(db, [{ ...place('place', 1n, 400n), ...on('2026-03-04') }]);
  await postAll(db, [{ ...fee('fee', 2n), ...on('2026-03-04') }]);
  await afterEachDay();
  await reverseOne(db, second?.id as bigint, 'back', on('2026-03-05').marketAt);
  await afterEachDay();
}

const threeDays = [
  { day: '2026-03-03', from: 'gateway', to: 'primary', reason: 'deposit', micros: 1500n, count: 2n },
  { day: '2026-03-04', from: 'primary', to: 'trade_escrow', reason: 'trade_place', micros: 400n, count: 1n },
  { day: '2026-03-04', from: 'trade_escrow', to: 'trade_fees', reason: 'trade_fee', micros: 2n, count: 1n },
  { day: '2026-03-05', from: 'gateway', to: 'primary', reason: 'deposit', micros: -500n, count: -1n },
];
const together = [
  { from: 'primary', to: 'trade_escrow', reason: 'trade_place', micros: 400n, count: 1n },
  { from: 'trade_escrow', to: 'trade_fees', reason: 'trade_fee', micros: 2n, count: 1n },
  { from: 'gateway', to: 'primary', reason: 'deposit', micros: 1000n, count: 1n },
];

const nothing = async () => {};
let lastCount = 0;
const ways: [string, () => Promise<unknown>][] = [
  ['never sealed', nothing],
  ['sealed every day', () => seal()],
  ['sealed every other time', async () => (lastCount++ % 2 === 0 ? seal() : undefined)],
];

test.for(ways)('daily and total flows are exact, %s', async ([, afterEachDay]) => {
  await fillThreeDays(afterEachDay);
  expect(await listFlows(database.db)).toEqual(threeDays);
  expect(await sumFlows(database.db)).toEqual(together);
  expect(await verifyLedger(database.db)).toEqual([]);
});

test('a range includes its first and last day, and an empty ledger has no flows', async () => {
  expect(await listFlows(database.db)).toEqual([]);
  await fillThreeDays(() => seal());
  const days = async (range: Parameters<typeof listFlows>[1]) =>
    (await listFlows(database.db, range)).map((flow) => flow.day);
  expect(await days({ fromDay: '2026-03-04', toDay: '2026-03-04' })).toEqual(['2026-03-04', '2026-03-04']);
  expect(await days({ fromDay: '2026-03-05' })).toEqual(['2026-03-05']);
  expect(await days({ toDay: '2026-03-03' })).toEqual(['2026-03-03']);
  expect(await days({ fromDay: '2026-03-06' })).toEqual([]);
});

test('credits minus debits of the flows are the balances of the house', async () => {
  await fillThreeDays(() => seal());
  await postAll(database.db, [{ ...fee('later', 3n), ...on('2026-03-06') }]);
  const flows = await sumFlows(database.db);
  for (const [name, balance] of Object.entries(await getHouseBalances(database.db))) {
    const moved = flows.reduce(
      (sum, flow) => sum + (flow.to === name ? flow.micros : 0n) - (flow.from === name ? flow.micros : 0n),
      0n,
    );
    expect([name, moved]).toEqual([name, balance]);
  }
});

const edits: [string, string, ...string[]][] = [
  [
    'a changed amount',
    "amount = amount + 1 where reason = 'deposit' and day is null",
    'deposit from gateway to primary, all days',
  ],
  [
    'a changed count',
    "count = 3 where reason = 'trade_fee' and day is not null",
    'trade_fee from trade_escrow to trade_fees, 2026-03-04',
  ],
  [
    'a changed day',
    "day = '2026-03-09' where reason = 'trade_place' and day is not null",
    'trade_place from primary to trade_escrow, 2026-03-04',
    'trade_place from primary to trade_escrow, 2026-03-09',
  ],
  [
    'a changed reason',
    "reason = 'reward' where reason = 'trade_fee' and day is null",
    'trade_fee from trade_escrow to trade_fees, all days',
    'reward from trade_escrow to trade_fees, all days',
  ],
  [
    'a changed class',
    "from_class = 8, to_class = 31 where reason = 'trade_fee' and day is null",
    'trade_fee from trade_escrow to trade_fees, all days',
    'trade_fee from unallocated to class 31, all days',
  ],
];

test.for([
  ...edits.map(([what, edit, ...named]) => [what, `update ledger.flow_total set ${edit}`, named] as const),
  [
    'a missing row',
    "delete from ledger.flow_total where day = '2026-03-05'",
    ['deposit from gateway to primary, 2026-03-05'],
  ],
] as const)('%s in the rollup is found and named', async ([, statement, named]) => {
  await fillThreeDays(() => seal());
  await tamper(database, statement);
  const discrepancies = await verifyLedger(database.db);
  expect(discrepancies.map((discrepancy) => [discrepancy.kind, discrepancy.subject])).toEqual(
    named.map((subject) => ['daily rollup', subject]),
  );
});

test('a migration fills the rollup of a ledger that was sealed before it existed', async () => {
  const migration = readFileSync(join(import.meta.dirname, '../../db/migrations/0016-flow-total.sql'), 'utf8');
  const from = migration.indexOf('insert into ledger.flow_total');
  const filling = migration.slice(from, migration.indexOf(';', from));
  await fillThreeDays(() => seal());
  await postAll(database.db, [{ ...fee('later', 3n), ...on('2026-03-06') }]);
  const sorted = async () =>
    (await listStoredRollups(database.db))
      .map((total) => JSON.stringify(total, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
      .sort();
  const kept = await sorted();
  expect(kept).toHaveLength(7);
  await tamper(database, `delete from ledger.flow_total; ${filling}`);
  expect(await sorted()).toEqual(kept);
  expect(await verifyLedger(database.db)).toEqual([]);
});
