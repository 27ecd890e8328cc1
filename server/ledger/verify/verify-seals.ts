import type { Tx } from '#server/db/connect.ts';
import { accountFault, accountName, classOf, findClassName, isMemberAccount, memberOf } from '../core/account.ts';
import type { CheckpointFields, TransferFields } from '../core/canonical.ts';
import { type DailyRollup, DailyRollups } from '../core/daily-rollup.ts';
import { isFlow } from '../core/flow.ts';
import { digestTransfers, FIRST_SEAL, moveCheckpoints, rootOf, sealHash } from '../seals/seal.ts';
import { listCheckpoints, listSeals, type StoredSeal, type StoredTransfer } from '../seals/seal-sql.ts';
import { listStoredRollups } from '../statement/daily-rollup.ts';
import { type Discrepancy, MAX_DISCREPANCIES } from './discrepancy.ts';
import { getNextTx, listMissingSeals } from './verify-sql.ts';

/** Outside the range of transaction numbers, so that a row with an impossible one is read, too. */
const LOWEST_TX = -(2n ** 63n);
const HIGHEST_TX = 2n ** 63n - 1n;
const SEAL_BATCH = 500;

/** The last verified seal, with the house balances computed for it. */
type Link = {
  readonly no: bigint;
  readonly horizon: bigint;
  readonly hash: Buffer;
  readonly checkpoints: readonly CheckpointFields[];
};

/** State of a pass over the chain. */
type Reading = {
  readonly check: (transfer: StoredTransfer, hash: Buffer) => void;
  readonly flows: DailyRollups;
  readonly discrepancies: Discrepancy[];
};

/** A seal up to which the ledger has been verified. */
export type LedgerMark = { readonly no: bigint; readonly hash: Buffer };

/**
 * Verifies the chain after a mark, and the transfers that are not sealed yet. Earlier transfers are not read again, but
 * the marked seal must be unchanged.
 */
export async function verifySealsSince(tx: Tx, mark: LedgerMark): Promise<Discrepancy[]> {
  const discrepancies: Discrepancy[] = [];
  const [start] = await listSeals(tx, mark.no - 1n, 1);
  if (start?.no !== mark.no) return [sealDiscrepancy(mark.no, 'is missing, but existed at the last reconciliation')];
  if (!start.hash.equals(mark.hash) || !start.hash.equals(sealHash(start)))
    return [sealDiscrepancy(mark.no, 'was modified since the last reconciliation')];
  const reading = { check: rowChecker(discrepancies), flows: new DailyRollups(), discrepancies };
  const last = await readChain(tx, { ...start, checkpoints: await listCheckpoints(tx, start.no) }, reading);
  await digestTransfers(tx, { fromTx: last.horizon, toTx: HIGHEST_TX }, reading.check);
  return discrepancies;
}

/** Verifies every seal after a link of the chain. */
async function readChain(tx: Tx, from: Link, reading: Reading): Promise<Link> {
  let last = from;
  const next = () => listSeals(tx, last.no === 0n ? LOWEST_TX : last.no, SEAL_BATCH);
  for (let seals = await next(); seals.length > 0; seals = await next()) {
    for (const seal of seals) last = await verifySeal(tx, last, seal, reading);
  }
  return last;
}

/**
 * Verifies the chain from its first seal, recomputing each from the transfers it covers, then the transfers that are
 * not sealed yet. Reads every transfer once. An edited row no longer matches its own hash; if that was recomputed as
 * well, its seal no longer matches.
 *
 * @param tx a snapshot (`inSnapshot`), or a seal committed between two statements would be visible to only one of them
 */
export async function verifySeals(tx: Tx): Promise<Discrepancy[]> {
  const discrepancies: Discrepancy[] = [];
  const check = rowChecker(discrepancies);
  const flows = new DailyRollups();
  const last = await readChain(tx, { ...FIRST_SEAL, checkpoints: [] }, { check, flows, discrepancies });
  const nextTx = await getNextTx(tx);
  if (last.horizon > nextTx) discrepancies.push(sealDiscrepancy(last.no, restoredMessage(last.horizon, nextTx)));
  await digestTransfers(tx, { fromTx: last.no === 0n ? LOWEST_TX : last.horizon, toTx: HIGHEST_TX }, check);
  for (const no of await listMissingSeals(tx, MAX_DISCREPANCIES))
    discrepancies.push(sealDiscrepancy(no, 'is missing, but its checkpoints exist'));
  discrepancies.push(...(await verifyDailyRollups(tx, flows)));
  return discrepancies;
}

const restoredMessage = (horizon: bigint, nextTx: bigint) =>
  `covers database transactions up to ${horizon}, but this cluster is at ${nextTx}: the data was restored from another cluster`;

async function verifySeal(
  tx: Tx,
  last: Link,
  seal: StoredSeal,
  { check, flows, discrepancies }: Reading,
): Promise<Link> {
  const digest = await digestTransfers(
    tx,
    { fromTx: last.no === 0n ? LOWEST_TX : last.horizon, toTx: seal.horizon },
    check,
  );
  flows.addAll(digest.flows);
  const checkpoints = moveCheckpoints(seal.no, last.checkpoints, digest.houseDeltas);
  const report = (message: string) => discrepancies.push(sealDiscrepancy(seal.no, message));
  if (seal.no !== last.no + 1n)
    report(`follows seal ${last.no}: a seal between them is missing, or a number was modified`);
  if (!seal.previous_hash.equals(last.hash)) report(`is not chained to seal ${last.no}`);
  if (!seal.hash.equals(sealHash(seal))) report('was modified: its hash does not match its fields');
  if (seal.transfer_count !== digest.count)
    report(`covers ${seal.transfer_count} transfers, but there are ${digest.count}`);
  if (!seal.root.equals(rootOf(digest.tree, checkpoints)))
    report('does not match the root of its transfers: one was modified, removed or inserted');
  discrepancies.push(...compareCheckpoints(seal.no, checkpoints, await listCheckpoints(tx, seal.no)));
  return { no: seal.no, horizon: seal.horizon, hash: seal.hash, checkpoints };
}

function compareCheckpoints(
  no: bigint,
  expected: readonly CheckpointFields[],
  stored: readonly CheckpointFields[],
): Discrepancy[] {
  const balances = new Map(stored.map((checkpoint) => [checkpoint.class, checkpoint.balance]));
  const wrong = expected.filter((checkpoint) => balances.get(checkpoint.class) !== checkpoint.balance);
  const surplus = stored.filter((checkpoint) => !expected.some((known) => known.class === checkpoint.class));
  return [
    ...wrong.map((checkpoint) => {
      const balance = balances.get(checkpoint.class);
      return checkpointDiscrepancy(
        no,
        checkpoint.class,
        balance === undefined ? 'is missing' : `states ${balance}, but its transfers sum to ${checkpoint.balance}`,
      );
    }),
    ...surplus.map((checkpoint) => checkpointDiscrepancy(no, checkpoint.class, 'belongs to no house account')),
  ];
}

/** Checks each row on its own. Reports up to a limit, because a changed hash function would invalidate every row. */
function rowChecker(discrepancies: Discrepancy[]) {
  let found = 0;
  return (transfer: StoredTransfer, hash: Buffer) => {
    const faults = [
      hash.equals(transfer.hash) ? undefined : 'was modified: its hash does not match its fields',
      transferFault(transfer),
    ];
    for (const message of faults) {
      if (message === undefined || found >= MAX_DISCREPANCIES) continue;
      found += 1;
      discrepancies.push({ kind: 'transfer', subject: `transfer ${transfer.id}`, message });
    }
  };
}

const sealDiscrepancy = (no: bigint, message: string): Discrepancy => ({
  kind: 'seal',
  subject: `seal ${no}`,
  message,
});

const checkpointDiscrepancy = (no: bigint, number: number, message: string): Discrepancy => ({
  kind: 'checkpoint',
  subject: `checkpoint of ${accountName(BigInt(number))} at seal ${no}`,
  message,
});

const classLabel = (number: number) => findClassName(number) ?? `class ${number}`;
const keyOf = (total: DailyRollup) => `${total.day} ${total.from} ${total.to} ${total.reason}`;

/** Compares the stored totals with the sums of the sealed transfers. */
async function verifyDailyRollups(tx: Tx, expected: DailyRollups): Promise<Discrepancy[]> {
  const stored = new Map((await listStoredRollups(tx)).map((total) => [keyOf(total), total]));
  const totals = expected.list();
  const known = new Set(totals.map(keyOf));
  const wrong = totals.flatMap((total) => {
    const found = stored.get(keyOf(total));
    if (found?.micros === total.micros && found.count === total.count) return [];
    const state = found === undefined ? 'is missing' : `states ${found.micros} in ${found.count} transfers`;
    return [discrepancy(total, `${state}, but the sealed transfers sum to ${total.micros} in ${total.count}`)];
  });
  const surplus = [...stored.values()].filter((total) => !known.has(keyOf(total)));
  return [...wrong, ...surplus.map((total) => discrepancy(total, 'has no sealed transfers'))].slice(
    0,
    MAX_DISCREPANCIES,
  );
}

const discrepancy = (total: DailyRollup, message: string): Discrepancy => ({
  kind: 'daily rollup',
  subject: `${total.reason} from ${classLabel(total.from)} to ${classLabel(total.to)}, ${total.day ?? 'all days'}`,
  message,
});

/**
 * Why no posting can have written a transfer, or undefined. Repeats the database's constraints, for rows written while
 * those were disabled. Whether a reversal is the opposite of its transfer needs both rows and is not checked here.
 *
 * $5 from member 3's profit wallet to member 4's primary wallet: `'moves money between two members'`.
 */
export function transferFault(t: TransferFields): string | undefined {
  if (t.amount <= 0n) return 'has no positive amount';
  const wrongAccount = accountFault(t.from_account) ?? accountFault(t.to_account);
  if (wrongAccount !== undefined) return wrongAccount;
  const fromMember = isMemberAccount(t.from_account);
  const toMember = isMemberAccount(t.to_account);
  if (fromMember && toMember && memberOf(t.from_account) !== memberOf(t.to_account))
    return 'moves money between two members';
  if (fromMember !== (t.from_balance_after !== null) || toMember !== (t.to_balance_after !== null))
    return 'does not state the balance after for exactly its member accounts';
  if ((t.from_balance_after ?? 0n) < 0n || (t.to_balance_after ?? 0n) < 0n) return 'leaves a member account negative';
  if ((t.reason === 'reversal') !== (t.reverses !== null))
    return 'is a reversal that names no transfer, or names one without being a reversal';
  if (t.reason !== 'reversal' && !isFlow(classOf(t.from_account), classOf(t.to_account), t.reason))
    return `is not a permitted flow: ${classOf(t.from_account)} to ${classOf(t.to_account)} for ${t.reason}`;
  return undefined;
}
