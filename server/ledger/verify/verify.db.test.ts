import { expect, test } from 'vitest';
import { testContext } from '#test/worlds/builders.ts';
import { afterTampering } from '#test/worlds/tamper.ts';
import { deposit, openLedger, place, postAll } from '../ledger-world.test-setup.ts';
import { sealLedger } from '../seals/seal.ts';
import { verifyLedger } from './verify.ts';

/** One edit of each kind is found on either engine; verify.pg.test.ts checks that none is missed and each is named. */
const database = await openLedger(1n);
await postAll(database.db, [deposit('deposit', 1n, 1000n)]);
await sealLedger(testContext(database));
await postAll(database.db, [place('place', 1n, 400n)]);

test.for([
  ['an edited transfer', "update ledger.transfer set note = '' where key = 'deposit'", 'seal 1'],
  ['a missing transfer', "delete from ledger.transfer where key = 'place'", 'primary of member 1'],
  ['an edited balance', 'update ledger.account set balance = balance + 1 where id = 33', 'primary of member 1'],
  ['an account of another class', 'update ledger.account set class = 4 where id = 34', 'member 1'],
  ['an edited seal', 'update ledger.seal set horizon = horizon - 1', 'seal 1'],
  [
    'an edited checkpoint',
    'update ledger.checkpoint set balance = 1 where class = 6',
    'checkpoint of gateway at seal 1',
  ],
] as const)('%s is found and named in a ledger that verified before', async ([, statement, named]) => {
  expect(await verifyLedger(database.db)).toEqual([]);
  expect((await afterTampering(database.db, [statement], verifyLedger)).map(({ subject }) => subject)).toContain(named);
});
