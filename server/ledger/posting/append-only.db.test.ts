import { expect, test } from 'vitest';
import { testContext } from '#test/worlds/builders.ts';
import { deposit, openLedger, postOne } from '../ledger-world.test-setup.ts';
import { sealLedger } from '../seals/seal.ts';

const database = await openLedger(1n);
await postOne(database.db, deposit('1', 1n, 5n));
await sealLedger(testContext(database));

const refused = { code: 'LG001', constraint: 'ledger_append_only' };

test.for([
  'update ledger.transfer set note = note',
  'update ledger.transfer set amount = 6 where id = 0',
  'delete from ledger.transfer',
  'delete from ledger.transfer where false',
  'truncate ledger.transfer',
  'update ledger.seal set sealed_at = sealed_at',
  'delete from ledger.seal',
  'truncate ledger.seal cascade',
  'update ledger.checkpoint set balance = 0',
  'delete from ledger.checkpoint',
  'truncate ledger.checkpoint',
  'update ledger.flow set event = event',
  'delete from ledger.flow',
  'truncate ledger.flow',
  "update ledger.account_class set name = 'x'",
  'delete from ledger.account_class',
  'truncate ledger.account_class cascade',
  'delete from ledger.account',
  'truncate ledger.account',
  'update ledger.account set id = id + 32',
  'update ledger.account set member_id = 2',
  'update ledger.account set class = 2 where id = 33',
  'delete from ledger.flow_total',
  'truncate ledger.flow_total',
])('%s is refused', async (statement) => {
  await expect(database.runScript(statement)).rejects.toMatchObject(refused);
});

test('a migration can add flows, but none that permits a reversal or lets a class pay itself', async () => {
  await expect(database.runScript("insert into ledger.flow values (1, 2, 'reversal', '')")).rejects.toMatchObject({
    constraint: 'flow_is_not_reversal',
  });
  await expect(database.runScript("insert into ledger.flow values (1, 1, 'correction', '')")).rejects.toMatchObject({
    constraint: 'flow_moves',
  });
});
