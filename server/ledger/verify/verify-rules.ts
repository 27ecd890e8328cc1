import { ledgerReasons } from '#contract/ledger-reasons.ts';
import type { Db } from '#server/db/connect.ts';
import { houseClasses, memberClasses } from '../core/account.ts';
import { flows } from '../core/flow.ts';
import type { Discrepancy } from './discrepancy.ts';
import { listAllowed, listClasses, listFlows, listProtections } from './verify-sql.ts';

const appendOnly = ['transfer', 'seal', 'checkpoint', 'flow', 'account_class', 'account', 'flow_total'];

/** The database objects that enforce the ledger's rules, including primary and foreign keys. */
const protections = [
  ...appendOnly.map((table) => `trigger append_only on ${table}`),
  'trigger transfer_reversal_is_opposite on transfer',
  'constraint transfer_allowed',
  'constraint transfer_amount_positive',
  'constraint member_account_never_negative',
  'constraint transfer_key_once',
  'constraint transfer_pk',
  'constraint account_pk',
  'constraint seal_pk',
  'constraint checkpoint_pk',
  'constraint checkpoint_seal',
  'constraint flow_pk',
  'constraint flow_total_once',
  'index transfer_reversed_once',
];

/**
 * Verifies the rules: protections are enabled, classes and flows match the code, and the database enforces exactly
 * those.
 */
export async function verifyRules(db: Db): Promise<Discrepancy[]> {
  return [
    ...(await verifyProtections(db)),
    ...compare('account class', await storedClasses(db), expectedClasses()),
    ...compare('flow', await storedFlows(db), expectedFlows()),
    ...compare('enforced flow', await enforcedFlows(db), expectedEnforced()),
  ];
}

async function verifyProtections(db: Db): Promise<Discrepancy[]> {
  const found = new Map((await listProtections(db)).map((row) => [row.name, row.is_on]));
  return protections
    .filter((name) => found.get(name) !== true)
    .map((name) => rule(name, found.has(name) ? 'is disabled' : 'is missing'));
}

const expectedClasses = () => [
  ...Object.entries(memberClasses).map(([name, no]) => `${no} ${name}, owned by a member`),
  ...Object.entries(houseClasses).map(([name, no]) => `${no} ${name}, owned by a house`),
];

const storedClasses = async (db: Db) =>
  (await listClasses(db)).map((row) => `${row.no} ${row.name}, owned by a ${row.owner}`);

const expectedFlows = () => flows.map(([from, to, reason, event]) => `${from} → ${to} ${reason} (${event})`);

const storedFlows = async (db: Db) =>
  (await listFlows(db)).map((row) => `${row.from_name} → ${row.to_name} ${row.reason} (${row.event})`);

const numbers: Readonly<Record<string, number>> = { ...memberClasses, ...houseClasses };
const expectedEnforced = () => flows.map(([from, to, reason]) => `${numbers[from]} → ${numbers[to]} ${reason}`);

async function enforcedFlows(db: Db): Promise<string[]> {
  const usual = ledgerReasons.filter((reason) => reason !== 'reversal');
  const rows = await listAllowed(db, Object.values(numbers), usual);
  return rows.map((row) => `${row.from_class} → ${row.to_class} ${row.reason}`);
}

function compare(what: string, stored: readonly string[], expected: readonly string[]): Discrepancy[] {
  const surplus = stored
    .filter((row) => !expected.includes(row))
    .map((row) => rule(`${what} ${row}`, 'is not one of the ledger rules'));
  const missing = expected
    .filter((row) => !stored.includes(row))
    .map((row) => rule(`${what} ${row}`, 'is missing or was modified'));
  return [...surplus, ...missing];
}

const rule = (subject: string, message: string): Discrepancy => ({ kind: 'rule', subject, message });
