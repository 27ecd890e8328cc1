import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { testContext } from '#test/builders.ts';
import { openTestDatabase } from '#test/database.ts';
import type { Finding } from './finding.ts';
import { deposit, house, marketAt, of, openMembers, place, postAll, transfer } from './ledger-world.test-setup.ts';
import { reverse } from './reverse.ts';
import { sealLedger } from './seal.ts';
import { verifyLedger } from './verify.ts';

let database: Database;
/** Transfer ids by key. */
let ids: Record<string, bigint>;

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  await openMembers(db, [1n, 2n]);
  await postAll(db, [deposit('deposit', 1n, 1000n), deposit('second', 2n, 500n)]);
  await sealLedger(testContext(database));
  await postAll(db, [
    place('place', 1n, 400n),
    transfer({ key: 'fund', from: house('venue'), to: house('gateway'), amountMicros: 300n, reason: 'venue_fund', note: 'noted' }),
    transfer({ key: 'fee', from: of(1n, 'trade_escrow'), to: house('trade_fees'), amountMicros: 2n, reason: 'trade_fee' }),
  ]);
  await sealLedger(testContext(database));
  await postAll(db, [place('mistake', 2n, 50n)]);
  const { rows: mistakes } = await sql<{ id: bigint }>`select id from ledger.transfer where key = 'mistake'`.execute(db);
  await inTransaction(db, (tx) => reverse(tx, { transferId: mistakes[0]?.id ?? 0n, key: 'reversal', reference: 'r', marketAt }));
  await sealLedger(testContext(database));
  await postAll(db, [deposit('fresh', 1n, 7n), place('latest', 1n, 5n)]);
  const { rows } = await sql<{ key: string; id: bigint }>`select key, id from ledger.transfer`.execute(db);
  ids = Object.fromEntries(rows.map((row) => [row.key, row.id]));
});
afterAll(() => database.close());

class Undo extends Error {}

/** What verification says after statements of somebody who may do everything and switched the triggers off; undone at once. */
async function findAfter(statements: readonly string[]): Promise<Finding[]> {
  let findings: Finding[] = [];
  const run = inTransaction(database.db, async (tx: Tx) => {
    for (const statement of ['set local session_replication_role = replica', ...statements]) await sql.raw(statement).execute(tx);
    findings = await verifyLedger(tx);
    throw new Undo();
  });
  await expect(run).rejects.toThrow(Undo);
  return findings;
}

const subjects = (findings: readonly Finding[]) => findings.map((finding) => finding.subject);
const unchecked = 'alter table ledger.transfer drop constraint transfer_allowed';
const rehash = `update ledger.transfer set hash = ledger.transfer_hash(id, from_account, to_account, amount, from_balance_after, to_balance_after,
  reverses, tx, market_at, created_at, reason, key, reference, note)`;

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name::text as name from information_schema.columns
    where table_schema = 'ledger' and table_name = ${table} and is_generated = 'NEVER' order by 1`.execute(database.db);
  return rows.map((row) => row.name);
}

test('an untouched ledger verifies', async () => {
  expect(await verifyLedger(database.db)).toEqual([]);
  expect(await findAfter([])).toEqual([]);
});

const transferEdits: Record<string, string> = {
  id: 'id = id + 100000',
  from_account: 'from_account = from_account + 32',
  to_account: 'to_account = to_account + 32',
  amount: 'amount = amount + 1',
  from_balance_after: 'from_balance_after = coalesce(from_balance_after, 0) + 1',
  to_balance_after: 'to_balance_after = coalesce(to_balance_after, 0) + 1',
  reverses: 'reverses = 1000000',
  tx: 'tx = -tx',
  market_at: "market_at = market_at + interval '1 microsecond'",
  created_at: "created_at = created_at - interval '1 microsecond'",
  reason: "reason = case reason when 'correction' then 'deposit' else 'correction' end::ledger.reason",
  key: "key = key || ' '",
  reference: "reference = ''",
  note: "note = case when note is null then '' end",
  hash: "hash = sha256('x')",
};

describe('transfers', () => {
  test('every column of a transfer has its edit here', async () => {
    expect(Object.keys(transferEdits).sort()).toEqual(await columnsOf('transfer'));
  });

  const rows = ['deposit', 'place', 'fund', 'reversal', 'latest'];
  test.for(Object.keys(transferEdits).flatMap((column) => rows.map((key) => [column, key] as [string, string])))(
    'an edit of %s in the row %s is found and the transfer named',
    async ([column, key]) => {
      const findings = await findAfter([unchecked, `update ledger.transfer set ${transferEdits[column]} where key = '${key}'`]);
      const id = (ids[key] ?? 0n) + (column === 'id' ? 100_000n : 0n);
      expect(subjects(findings)).toContain(`transfer ${id}`);
    },
  );

  test.for(Object.keys(transferEdits).filter((column) => column !== 'hash'))(
    'an edit of %s with the hash made to fit is found by the seal',
    async (column) => {
      const findings = await findAfter([unchecked, `update ledger.transfer set ${transferEdits[column]} where key = 'fund'`, rehash]);
      expect(subjects(findings)).toContain('seal 2');
    },
  );

  test('an edit that nothing sealed yet is found by the statement, though its hash was made to fit', async () => {
    const findings = await findAfter(["update ledger.transfer set amount = 4 where key = 'latest'", rehash]);
    expect(subjects(findings)).toEqual(['primary of member 1', 'trade_escrow of member 1']);
    expect(findings[0]?.message).toContain(`transfer ${ids.latest}`);
  });

  test.for([
    ['deposit', ['seal 1', 'primary of member 1']],
    ['fund', ['seal 2', 'checkpoint of gateway at seal 2', 'checkpoint of venue at seal 2']],
    ['latest', ['primary of member 1', 'trade_escrow of member 1']],
    ['mistake', ['seal 3', `primary of member 2`]],
  ] as [string, string[]][])('the missing row %s is found by its seal and its accounts', async ([key, named]) => {
    expect(subjects(await findAfter([`delete from ledger.transfer where key = '${key}'`]))).toEqual(expect.arrayContaining(named));
  });

  test.for([
    ['of a sealed time', '(select tx from ledger.transfer where key = \'fund\')', ['seal 2']],
    ['of now', 'pg_current_xact_id()::text::bigint', ['profit of member 2']],
  ] as [string, string, string[]][])('a row put in %s is found, though its hash fits', async ([, tx, named]) => {
    const forged = `insert into ledger.transfer (from_account, to_account, amount, to_balance_after, tx, market_at, created_at, reason, key, reference, hash)
      values (17, 66, 900, 900, ${tx}, now(), now(), 'correction', 'forged', '', '')`;
    expect(subjects(await findAfter([forged, rehash]))).toEqual(expect.arrayContaining(named));
  });

  test('rows that no rule allows are named, whatever else fits', async () => {
    const forged = (from: number, to: number, after: string, reason = 'correction') =>
      findAfter([
        unchecked,
        `insert into ledger.transfer (from_account, to_account, amount, from_balance_after, to_balance_after, tx, market_at, created_at, reason, key, reference, hash)
         values (${from}, ${to}, 5, ${after}, pg_current_xact_id()::text::bigint, now(), now(), '${reason}', 'forged', '', '')`,
        rehash,
      ]).then((findings) => findings.filter((finding) => finding.kind === 'transfer').map((finding) => finding.message));
    expect(await forged(33, 65, '1, 1', 'trade_place')).toEqual(['moves money between two members']);
    expect(await forged(6, 34, 'null, 5', 'deposit')).toEqual(['is a flow that does not exist: gateway to profit for deposit']);
    expect(await forged(8, 12, 'null, null', 'pool_weekly_fill')).toEqual(['is a flow that does not exist: unallocated to pool_weekly for pool_weekly_fill']);
    expect(await forged(6, 33, 'null, null', 'deposit')).toEqual(['does not say the balances of exactly its member accounts']);
    expect(await forged(6, 38, 'null, 5', 'deposit')).toEqual(['names account 38, which cannot exist']);
    expect(await forged(33, 6, '1, null', 'reversal')).toEqual(['is a reversal without a transfer, or the other way round']);
  });

  test('a reversal of another amount or a second one is named', async () => {
    const wrong = 'is not the one exact opposite of the transfer it reverses';
    const other = await findAfter(["update ledger.transfer set amount = 49 where key = 'reversal'", rehash]);
    expect(other).toContainEqual({ kind: 'transfer', subject: `transfer ${ids.reversal}`, message: wrong });
    const second = await findAfter([
      'drop index ledger.transfer_reversed_once',
      `insert into ledger.transfer (id, from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx, market_at, created_at, reason, key, reference, hash)
       overriding system value
       select 5000, from_account, to_account, amount, 0, 550, reverses, tx, now(), now(), reason, 'again', '', '' from ledger.transfer where key = 'reversal'`,
    ]);
    expect(second).toContainEqual({ kind: 'transfer', subject: 'transfer 5000', message: wrong });
  });
});

describe('accounts', () => {
  test.for([
    ['balance', 'update ledger.account set balance = balance + 1 where id = 33', 'primary of member 1'],
    ['id', 'update ledger.account set id = 97 where id = 33', 'primary of member 1'],
    ['an unused id', 'update ledger.account set id = 98 where id = 36', 'member 1'],
    ['deletion', 'delete from ledger.account where id = 35', 'trade_escrow of member 1'],
    ['insertion', 'insert into ledger.account (id, balance) values (100, 5)', 'investment of member 3'],
  ] as [string, string, string][])('%s is found and the account named', async ([, statement, named]) => {
    expect(subjects(await findAfter([statement]))).toContain(named);
  });

  test('every column of an account is covered, and money out of nothing shows in the sum of all accounts', async () => {
    expect(await columnsOf('account')).toEqual(['balance', 'id']);
    const findings = await findAfter(['update ledger.account set balance = balance + 1 where id = 33']);
    expect(findings).toContainEqual({ kind: 'books', subject: 'sum of all accounts', message: expect.stringMatching(/^is 1, not 0/) });
  });

  test('an account below zero is named', async () => {
    const findings = await findAfter([
      'alter domain ledger.member_balance drop constraint member_account_never_negative',
      'update ledger.account set balance = -1 where id = 34',
    ]);
    expect(subjects(findings)).toEqual(expect.arrayContaining(['profit of member 1', 'constraint member_account_never_negative']));
  });
});

describe('seals and checkpoints', () => {
  const sealEdits: Record<string, string> = {
    no: 'no = 20',
    horizon: 'horizon = horizon - 1',
    transfer_count: 'transfer_count = transfer_count + 1',
    root: "root = sha256('x')",
    previous_hash: "previous_hash = sha256('x')",
    sealed_at: "sealed_at = sealed_at + interval '1 microsecond'",
    hash: "hash = sha256('x')",
  };

  test('every column of a seal has its edit here', async () => {
    expect(Object.keys(sealEdits).sort()).toEqual(await columnsOf('seal'));
  });

  test.for(Object.keys(sealEdits).flatMap((column) => [1, 2, 3].map((no) => [column, no] as [string, number])))(
    'an edit of %s in seal %i is found and the seal named',
    async ([column, no]) => {
      const findings = await findAfter([`update ledger.seal set ${sealEdits[column]} where no = ${no}`]);
      expect(subjects(findings)).toContain(`seal ${column === 'no' ? 20 : no}`);
    },
  );

  test.for([1, 2, 3])('the missing seal %i is found', async (no) => {
    expect(subjects(await findAfter([`delete from ledger.seal where no = ${no}`]))).toContain(`seal ${no}`);
  });

  test('a seal put in at the end is found', async () => {
    const findings = await findAfter(['insert into ledger.seal select 4, horizon + 1, 1, root, hash, now(), hash from ledger.seal where no = 3']);
    expect(subjects(findings)).toContain('seal 4');
  });

  test.for([
    ['seal_no', 'update ledger.checkpoint set seal_no = 9 where seal_no = 2 and class = 6', ['checkpoint of gateway at seal 2', 'seal 9']],
    ['class', 'update ledger.checkpoint set class = 5 where seal_no = 2 and class = 6', ['checkpoint of gateway at seal 2', 'checkpoint of account 5 at seal 2']],
    ['balance', 'update ledger.checkpoint set balance = balance + 1 where seal_no = 2 and class = 9', ['checkpoint of trade_fees at seal 2']],
    ['deletion', 'delete from ledger.checkpoint where seal_no = 3 and class = 7', ['checkpoint of venue at seal 3']],
    ['insertion', 'insert into ledger.checkpoint values (3, 1, 5)', ['checkpoint of account 1 at seal 3']],
  ] as [string, string, string[]][])('checkpoint: %s is found and named', async ([, statement, named]) => {
    expect(subjects(await findAfter([statement]))).toEqual(expect.arrayContaining(named));
  });

  test('every column of a checkpoint is covered above', async () => {
    expect(await columnsOf('checkpoint')).toEqual(['balance', 'class', 'seal_no']);
  });
});

describe('rules', () => {
  test.for([
    ['flow.from_class', 'update ledger.flow set from_class = 8 where reason = \'capital_in\'', ['flow unallocated → adjustments capital_in (treasury: the owner puts capital in)', 'flow gateway → adjustments capital_in (treasury: the owner puts capital in)']],
    ['flow.to_class', "update ledger.flow set to_class = 2 where reason = 'capital_in'", ['flow gateway → profit capital_in (treasury: the owner puts capital in)']],
    ['flow.reason', "update ledger.flow set reason = 'deposit' where reason = 'capital_in'", ['flow gateway → adjustments deposit (treasury: the owner puts capital in)']],
    ['flow.event', "update ledger.flow set event = 'other' where reason = 'capital_in'", ['flow gateway → adjustments capital_in (other)']],
    ['flow deletion', "delete from ledger.flow where reason = 'capital_in'", ['flow gateway → adjustments capital_in (treasury: the owner puts capital in)']],
    ['flow insertion', "insert into ledger.flow values (1, 2, 'reward', 'other')", ['flow primary → profit reward (other)']],
    ['account_class.no', 'update ledger.account_class set no = 30 where no = 17', ['account class 30 adjustments, owned by a house', 'account class 17 adjustments, owned by a house']],
    ['account_class.name', "update ledger.account_class set name = 'x' where no = 17", ['account class 17 x, owned by a house']],
    ['account_class deletion', 'delete from ledger.account_class where no = 17', ['account class 17 adjustments, owned by a house']],
    ['account_class insertion', "insert into ledger.account_class values (18, 'slush', 'house')", ['account class 18 slush, owned by a house']],
  ] as [string, string, string[]][])('%s is found and named', async ([, statement, named]) => {
    expect(subjects(await findAfter([statement]))).toEqual(expect.arrayContaining(named));
  });

  test('every column is covered above; the owner of a class follows from its number', async () => {
    expect(await columnsOf('flow')).toEqual(['event', 'from_class', 'reason', 'to_class']);
    expect(await columnsOf('account_class')).toEqual(['name', 'no', 'owner']);
    const owner = await findAfter(['alter table ledger.account_class drop constraint account_class_owner', "update ledger.account_class set owner = 'member' where no = 17"]);
    expect(subjects(owner)).toContain('account class 17 adjustments, owned by a member');
  });

  test('a flow that was let into the compiled rule alone is found', async () => {
    const findings = await findAfter(["insert into ledger.flow values (6, 2, 'reward', 'x')", 'call ledger.compile_flow()', "delete from ledger.flow where reason = 'reward' and from_class = 6"]);
    expect(findings).toEqual([{ kind: 'rule', subject: 'enforced flow 6 → 2 reward', message: 'is not a rule of this ledger' }]);
  });

  test.for([
    ['alter table ledger.transfer disable trigger append_only', 'trigger append_only on transfer'],
    ['alter table ledger.seal disable trigger all', 'trigger append_only on seal'],
    ['drop trigger append_only on ledger.checkpoint', 'trigger append_only on checkpoint'],
    ['drop trigger transfer_reversal_is_opposite on ledger.transfer', 'trigger transfer_reversal_is_opposite on transfer'],
    [unchecked, 'constraint transfer_allowed'],
    ['alter domain ledger.amount drop constraint transfer_amount_positive', 'constraint transfer_amount_positive'],
    ['alter table ledger.transfer drop constraint transfer_key_once', 'constraint transfer_key_once'],
    ['drop index ledger.transfer_reversed_once', 'index transfer_reversed_once'],
  ] as [string, string][])('%s is found', async ([statement, named]) => {
    expect(subjects(await findAfter([statement]))).toEqual([named]);
  });
});
