import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sealAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { sealLedger } from '#server/ledger/index.ts';
import { openSealKey } from '#server/signing/index.ts';
import { readLastSeals } from '#server/solvency/index.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { cuts, unguarded } from './cuts.ts';

/** The forging role: the server's, the database owner's, or the cluster's superuser. */
export type Forger = 'app' | 'owner' | 'superuser';

export type Forgery = {
  readonly forger: Forger;
  /** Its name in the report. */
  readonly name: string;
  /** SQL statements, or a function that uses the owner's connection. */
  readonly act: string | ((forged: Forged) => Promise<void>);
};

export type Forged = { readonly database: Database; readonly context: Context };

/** One of the first transfers: sealed long ago, before the first stored head. */
const OLD = '(select min(id) + 10 from ledger.transfer)';
const SOME_TRADE = "(select min(id) from trading.trade where state = 'settled')";
const HASH = `ledger.transfer_hash(id, from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx,
  market_at, created_at, reason, key, reference, note)`;
const WALLET = '(select min(id) from ledger.account where balance > 1000000)';
const draft = (from: string, to: string, amount: string, reason: string) =>
  `select ledger.post(array[row('forged', ${from}, ${to}, ${amount}, '${reason}', 'forged', now(), null, null)::ledger.draft])`;

const app = (name: string, act: string): Forgery => ({ forger: 'app', name, act });
const owner = (name: string, act: Forgery['act']): Forgery => ({ forger: 'owner', name, act });

const asApp: readonly Forgery[] = [
  app('changes the amount of a transfer', `update ledger.transfer set amount = amount * 2 where id = ${OLD}`),
  app('deletes a transfer', `delete from ledger.transfer where id = ${OLD}`),
  app('empties the ledger', 'truncate ledger.transfer cascade'),
  app('switches the guard of the ledger off', 'alter table ledger.transfer disable trigger append_only'),
  app('has all triggers ignored', 'set session_replication_role = replica'),
  app(
    'replaces the guard’s function',
    `create or replace function ledger.refuse_change() returns trigger language plpgsql as 'begin return null; end'`,
  ),
  app(
    'writes a transfer past post',
    `insert into ledger.transfer (from_account, to_account, amount, to_balance_after, tx, market_at, created_at, reason, key, reference, hash)
     values (6, ${WALLET}, 1000000, 1000000, pg_current_xact_id()::text::bigint, now(), now(), 'deposit', 'forged', 'forged', sha256('forged'))`,
  ),
  app('raises a wallet without a transfer', `update ledger.account set balance = balance + 1 where id = ${WALLET}`),
  app('pays an income from deposits', draft('6', `${WALLET} + 1`, '1000000', 'weekly_income')),
  app('moves money from one member to another', draft(WALLET, `${WALLET} + 32`, '1000000', 'trade_place')),
  app('spends more than a wallet has', draft(WALLET, `${WALLET} + 2`, '1000000000000000', 'trade_place')),
  app('allows a flow from deposits to incomes', `insert into ledger.flow values (6, 2, 'weekly_income', 'forged')`),
  app(
    'changes a daily sum of the flows',
    `update ledger.flow_total set amount = amount + 1 where reason = 'trade_fee'`,
  ),
  app(
    'changes the result of a settled trade',
    `update trading.trade set gross = gross + 1, result = result + 1 where id = ${SOME_TRADE}`,
  ),
  app('deletes a settled trade', `delete from trading.trade where id = ${SOME_TRADE}`),
  app(
    'writes a seal of its own',
    `insert into ledger.seal select no + 1, horizon, 1, root, hash, sealed_at, sha256('forged') from ledger.seal order by no desc limit 1`,
  ),
  app('deletes the newest seal', 'delete from ledger.seal where no = (select max(no) from ledger.seal)'),
  app('changes an entry of the audit log', `update audit.entry set subject = 'member:7777' where id = 1`),
  app('deletes the newest seal of the audit log', 'delete from audit.seal where no = (select max(no) from audit.seal)'),
  app(
    'signs a seal that there is not',
    `insert into signing.signature select chain, no + 1, key_no, signature from signing.signature
     where chain = 'ledger' order by no desc limit 1`,
  ),
  app(
    'announces a key of its own',
    `insert into signing.key select 2, encode(sha256(forged), 'hex'), forged, now(), 1, 1, 1, signature, null
     from signing.key, sha256('forged') as forged`,
  ),
  app('deletes published heads', 'delete from solvency.published_heads'),
  app(
    'publishes heads of its own',
    `insert into solvency.published_heads select hour + interval '5 hours', published_at,
       replace(document, '"no":"1"', '"no":"2"') from solvency.published_heads order by hour limit 1`,
  ),
  app('lowers what a proof says is owed', 'update solvency.node set sum = sum - 1 where level = 0 and sum > 0'),
  app(
    'writes a proof of its own',
    `insert into solvency.snapshot (version, key_version, no, kind, market_day, taken_at, leaves, root_sum, root_hash, liabilities,
         ledger_seal_no, ledger_seal_hash, previous_hash, hash)
       select version, key_version, no + 1, kind, market_day + 1, taken_at, leaves, root_sum, root_hash,
         liabilities, ledger_seal_no, ledger_seal_hash, hash, sha256('forged') from solvency.snapshot order by no desc limit 1`,
  ),
  app('deletes the key of the proofs', `delete from identity.server_key where name like 'solvency%'`),
  app('removes the table of the log', 'drop table audit.entry cascade'),
  app('becomes the owner', 'set role tradewind_owner'),
  app('runs a program on the machine', `copy (select 1) to program 'true'`),
];

const ledgerTables = ['ledger.transfer', 'ledger.account', 'ledger.flow_total', 'ledger.seal', 'ledger.checkpoint'];

const asOwner: readonly Forgery[] = [
  owner('leaves a guard off', 'alter table ledger.transfer disable trigger append_only'),
  owner('drops a constraint of the ledger', 'alter table ledger.transfer drop constraint transfer_allowed'),
  owner(
    'changes the amount of a transfer',
    unguarded(['ledger.transfer'], `update ledger.transfer set amount = amount * 2 where id = ${OLD}`),
  ),
  owner(
    'changes the amount of a transfer and its hash',
    unguarded(
      ['ledger.transfer'],
      `update ledger.transfer set amount = amount * 2 where id = ${OLD};
       update ledger.transfer set hash = ${HASH} where id = ${OLD}`,
    ),
  ),
  owner(
    'changes what a transfer was for, and its hash',
    unguarded(
      ['ledger.transfer'],
      `update ledger.transfer set reference = 'forged' where id = ${OLD};
       update ledger.transfer set hash = ${HASH} where id = ${OLD}`,
    ),
  ),
  owner('deletes a transfer', unguarded(['ledger.transfer'], `delete from ledger.transfer where id = ${OLD}`)),
  owner(
    'writes a transfer into a sealed minute',
    unguarded(
      ['ledger.transfer'],
      `insert into ledger.transfer (from_account, to_account, amount, tx, market_at, created_at, reason, key, reference, hash)
         select 15, 6, 1000000, tx, market_at, created_at, 'revenue_out', 'forged', 'forged', sha256('forged') from ledger.transfer where id = ${OLD};
       update ledger.transfer set hash = ${HASH} where key = 'forged'`,
    ),
  ),
  owner('empties the ledger', unguarded(ledgerTables, `truncate ${ledgerTables.join(', ')} cascade`)),
  owner(
    'allows a flow from deposits to incomes, and uses it',
    `${unguarded(['ledger.flow'], "insert into ledger.flow values (6, 2, 'weekly_income', 'forged')")}
     call ledger.compile_flow(); ${draft('6', `${WALLET} + 1`, '1000000', 'weekly_income')};`,
  ),
  owner(
    'has the function of a guard do nothing',
    `create or replace function ledger.refuse_change() returns trigger language plpgsql as 'begin return null; end'`,
  ),
  owner(
    'deletes a seal in the middle',
    unguarded(
      ['ledger.seal', 'ledger.checkpoint', 'signing.signature'],
      `delete from ledger.checkpoint where seal_no = 2; delete from ledger.seal where no = 2;
       delete from signing.signature where chain = 'ledger' and no = 2`,
    ),
  ),
  owner('changes a transfer and seals all anew with a key of its own', sealAnew),
  owner(
    'changes an entry of the audit log',
    unguarded(['audit.entry'], `update audit.entry set subject = 'member:7777' where id = 1`),
  ),
  owner('deletes an entry of the audit log', unguarded(['audit.entry'], 'delete from audit.entry where id = 1')),
  owner('empties the audit log and seals what it writes instead', writeLogAnew),
  owner(
    'deletes every signature and key',
    unguarded(['signing.signature', 'signing.key'], 'delete from signing.signature; delete from signing.key'),
  ),
  owner(
    'changes published heads',
    unguarded(
      ['solvency.published_heads'],
      `update solvency.published_heads set document = replace(document, '"no":"1"', '"no":"2"')`,
    ),
  ),
  owner(
    'lowers what a proof says a member is owed',
    'update solvency.node set sum = sum - 1, balances[1] = balances[1] - 1 where level = 0 and position = 3',
  ),
  owner('leaves a member out of a proof', 'delete from solvency.node where level = 0 and position = 3'),
  owner(
    'lowers what a proof says all are owed',
    unguarded(
      ['solvency.snapshot'],
      'update solvency.snapshot set root_sum = root_sum - 1, liabilities = liabilities - 1',
    ),
  ),
  ...Object.entries(cuts).map(([name, { tables, statements }]) =>
    owner(
      `removes the newest seal of ${name} with all it covers, its signature and what was published`,
      unguarded(
        [...tables, 'solvency.published_heads'],
        `${statements};
         delete from solvency.anchor_delivery; delete from solvency.published_heads`,
      ),
    ),
  ),
  {
    forger: 'superuser',
    name: 'deletes a transfer while no trigger fires',
    act: `begin; set local session_replication_role = replica; delete from ledger.transfer where id = ${OLD}; commit`,
  },
  {
    forger: 'superuser',
    name: 'deletes an entry of the audit log while no trigger fires',
    act: 'begin; set local session_replication_role = replica; delete from audit.entry where id = 1; commit',
  },
];

export const forgeries: readonly Forgery[] = [...asApp, ...asOwner];

/** No stored head covers it, so no check can detect it, as docs/ledger.md says. */
export const beyond: Forgery = owner(
  'removes what came after the last heads that were kept',
  unguarded(
    [...cuts['the audit log'].tables, 'solvency.published_heads'],
    `${cuts['the audit log'].statements};
     delete from solvency.published_heads where hour > (select min(hour) from solvency.published_heads)`,
  ),
);

const noTrace = `delete from signing.signature; delete from signing.key; delete from ledger.checkpoint; delete from ledger.seal;
  delete from ledger.flow_total; delete from audit.seal; delete from solvency.anchor_delivery; delete from solvency.published_heads`;
const traces = [
  'signing.signature',
  'signing.key',
  'ledger.checkpoint',
  'ledger.seal',
  'ledger.flow_total',
  'audit.seal',
  'solvency.published_heads',
];

/** Makes everything consistent again: hashes, seals, signatures, and the key that the database names. */
async function sealAnew({ database, context }: Forged): Promise<void> {
  await database.runScript(
    unguarded(
      [...traces, 'ledger.transfer', 'solvency.snapshot'],
      `${noTrace}; delete from solvency.node; delete from solvency.snapshot;
       update ledger.transfer set reference = 'forged' where id = ${OLD};
       update ledger.transfer set hash = ${HASH} where id = ${OLD}`,
    ),
  );
  await sealWithOwnKey(context);
}

async function writeLogAnew({ database, context }: Forged): Promise<void> {
  await database.runScript(
    unguarded(
      [...traces, 'audit.entry', 'solvency.snapshot'],
      `${noTrace}; delete from solvency.node; delete from solvency.snapshot; delete from audit.entry;
       insert into audit.entry (actor_kind, action, subject) values ('system', 'forged', 'forged')`,
    ),
  );
  await sealWithOwnKey(context);
}

async function sealWithOwnKey(context: Context): Promise<void> {
  const folder = mkdtempSync(join(scratchFolder(), 'tradewind-forger-'));
  try {
    const sealKey = await openSealKey(context, join(folder, 'seal.key'), () => readLastSeals(context.db));
    await sealLedger({ ...context, sealKey });
    await sealAudit({ ...context, sealKey });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
