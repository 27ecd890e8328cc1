import {
  headBytes,
  type KeyStatement,
  type PublishedHeads,
  publishedBytes,
  type SealChain,
  sealChains,
} from '#contract/solvency/heads.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { listMissingGuards } from '#server/db/guards.ts';
import { inSnapshot } from '#server/db/tx.ts';
import {
  findSigner,
  isSignedBy,
  listSignatures,
  listStatements,
  shortOf,
  statementFaults,
} from '#server/signing/index.ts';
import { chainNames, compareHeads } from '../core/saved-heads.ts';
import { type Discrepancy, MAX_DISCREPANCIES } from '../list-wrong-nodes.ts';
import { listPublished, type PublishedRow } from './heads-sql.ts';
import { listHeads, readLastSeals } from './read-heads.ts';

const CHUNK = 500;
/** Slightly more than a day, the scope of the hourly check. */
const NEW_SEALS = 1_600n;
const NEW_HOURS = 26;
const guards = ['signing.key', 'signing.signature', 'solvency.published_heads', 'solvency.snapshot'].map(
  (table) => [table as `${string}.${string}`, 'append_only'] as const,
);

/**
 * Verifies that every seal since the first key is signed by the key of its time, and that every published head is
 * unchanged. The key file states which key signs from which seal on: the database's owner can delete signatures, but
 * cannot pass seals off as older than the first key.
 *
 * @param trusted statements of the key file; by default those of the database, which its owner can replace
 * @param scope `new`: seals and heads of the last day
 */
export const verifySignatures = (
  db: Db,
  trusted: readonly KeyStatement[] | undefined,
  scope: 'whole' | 'new' = 'whole',
): Promise<Discrepancy[]> => inSnapshot(db, (tx) => verify(tx, trusted, scope));

async function verify(
  tx: Tx,
  trusted: readonly KeyStatement[] | undefined,
  scope: 'whole' | 'new',
): Promise<Discrepancy[]> {
  const stored = await listStatements(tx);
  const statements = trusted ?? stored;
  const found = [
    ...(await listMissingGuards(tx, guards)),
    ...statementFaults(statements).map(({ no, message }) => ({ subject: `seal key ${no}`, message })),
    ...compareStatements(statements, stored),
  ];
  const last = await readLastSeals(tx);
  for (const chain of sealChains) {
    const beginning = scope === 'whole' ? 0n : last[chain] - NEW_SEALS;
    found.push(...(await verifyChain(tx, chain, statements, beginning)));
  }
  found.push(...(await verifyPublished(tx, statements, scope)));
  return found;
}

function compareStatements(statements: readonly KeyStatement[], stored: readonly KeyStatement[]): Discrepancy[] {
  const length = Math.max(statements.length, stored.length);
  return Array.from({ length }, (_, index) => index)
    .filter((index) => JSON.stringify(statements[index]) !== JSON.stringify(stored[index]))
    .map((index) => ({
      subject: `seal key ${index + 1}`,
      message: `is ${shortOf(statements[index]?.public_key)} in the key file and ${shortOf(stored[index]?.public_key)} in the database, or was modified there`,
    }));
}

async function verifyChain(
  tx: Tx,
  chain: SealChain,
  statements: readonly KeyStatement[],
  beginning: bigint,
): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  const report = (no: bigint | string, message: string) => {
    if (found.length < MAX_DISCREPANCIES) found.push({ subject: `${chainNames[chain]} ${no}`, message });
  };
  let after = beginning;
  for (let isEnd = false; !isEnd; ) {
    const heads = await listHeads[chain](tx, after, CHUNK);
    const end = heads.length < CHUNK ? undefined : BigInt(heads.at(-1)?.no ?? 0);
    const signatures = await listSignatures(tx, chain, after, end);
    const byNo = new Map(signatures.map((signature) => [signature.no, signature]));
    for (const head of heads) {
      const signer = findSigner(statements, chain, BigInt(head.no));
      const signature = byNo.get(BigInt(head.no));
      byNo.delete(BigInt(head.no));
      // A seal from before the first key is covered by the signed seals chained to it.
      if (signer === undefined) continue;
      if (signature === undefined) report(head.no, 'is not signed, although every seal since the first key is');
      else if (!isSignedBy(signer.public_key, headBytes(head), signature.signature))
        report(
          head.no,
          signature.key === signer.public_key
            ? `has a signature that does not match: it was modified or replaced`
            : `is signed by key ${shortOf(signature.key)} instead of ${shortOf(signer.public_key)}`,
        );
    }
    for (const no of byNo.keys()) report(no, 'was signed and is missing');
    isEnd = end === undefined;
    after = end ?? after;
  }
  return found;
}

async function verifyPublished(
  tx: Tx,
  statements: readonly KeyStatement[],
  scope: 'whole' | 'new',
): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  let before: Date | undefined;
  const next = () => listPublished(tx, before, scope === 'whole' ? CHUNK : NEW_HOURS);
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    found.push(...(await verifyRows(tx, statements, rows)));
    before = rows.at(-1)?.hour;
    if (scope === 'new') break;
  }
  return found.slice(0, MAX_DISCREPANCIES);
}

async function verifyRows(
  tx: Tx,
  statements: readonly KeyStatement[],
  rows: readonly PublishedRow[],
): Promise<Discrepancy[]> {
  const documents = rows.flatMap(({ document }) => document ?? []);
  const unread = rows
    .filter(({ document }) => document === undefined)
    .map(({ hour }) => ({ subject: `heads published at ${hour.toISOString()}`, message: 'were modified' }));
  return [...unread, ...(await verifySavedHeads(tx, statements, documents))];
}

/** Verifies that heads were signed by a key of this installation, and match the stored seals. */
export async function verifySavedHeads(
  tx: Db,
  statements: readonly KeyStatement[],
  saved: readonly PublishedHeads[],
): Promise<Discrepancy[]> {
  const known = new Set(statements.map(({ public_key }) => public_key));
  const unsigned = saved.filter(
    (one) => !known.has(one.public_key) || !isSignedBy(one.public_key, publishedBytes(one), one.signature),
  );
  const found = unsigned.map((one) => ({
    subject: `heads published at ${one.published_at}`,
    message: known.has(one.public_key)
      ? 'have a signature that does not match: they were modified'
      : `are signed by key ${shortOf(one.public_key)}, which is no key of this installation`,
  }));
  const stored = new Map<string, { hash: string }>();
  for (const { heads } of saved) {
    for (const { chain, no } of heads) {
      const [head] = await listHeads[chain](tx, BigInt(no) - 1n, 1);
      if (head?.no === no) stored.set(`${chain} ${no}`, head);
    }
  }
  return [...found, ...compareHeads(saved, (chain, no) => stored.get(`${chain} ${no}`))];
}
