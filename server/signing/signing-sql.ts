import { sql } from 'kysely';
import type { KeyStatement, SealChain } from '#contract/solvency/heads.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findValue, listRows } from '#server/db/rows.ts';
import { fingerprintOf } from './ed25519.ts';

/** Sealing and key changes exclude each other: a change takes the exclusive lock, sealing the shared one. */
export const lockKeys = (tx: Tx): Promise<void> =>
  execute(tx)`select pg_advisory_xact_lock(hashtextextended('signing.key', 0))`;
export const lockKeysShared = (tx: Tx): Promise<void> =>
  execute(tx)`select pg_advisory_xact_lock_shared(hashtextextended('signing.key', 0))`;

type KeyRow = {
  readonly no: bigint;
  readonly publicKey: Buffer;
  readonly announcedAt: Date;
  readonly ledger: bigint;
  readonly audit: bigint;
  readonly liabilities: bigint;
  readonly signature: Buffer;
  readonly previousSignature: Buffer | null;
};

/** All key statements, oldest first, as the database publishes them. */
export async function listStatements(db: Db): Promise<KeyStatement[]> {
  const rows = await listRows(db)<KeyRow>`
    select no, public_key as "publicKey", announced_at as "announcedAt", ledger_after as ledger, audit_after as audit,
      liabilities_after as liabilities, signature, previous_signature as "previousSignature"
    from signing.key order by no`;
  return rows.map((row) => ({
    no: String(row.no),
    public_key: row.publicKey.toString('hex'),
    announced_at: row.announcedAt.toISOString(),
    after: { ledger: String(row.ledger), audit: String(row.audit), liabilities: String(row.liabilities) },
    signature: row.signature.toString('hex'),
    previous_signature: row.previousSignature?.toString('hex') ?? null,
  }));
}

/** No effect if it exists: of two processes that announce a key one inserts it. */
export const insertStatement = (tx: Tx, s: KeyStatement): Promise<void> =>
  execute(tx)`
    insert into signing.key (no, fingerprint, public_key, announced_at, ledger_after, audit_after, liabilities_after,
      signature, previous_signature)
    values (${BigInt(s.no)}, ${fingerprintOf(s.public_key)}, ${bytes(s.public_key)}, ${s.announced_at}::timestamptz,
      ${BigInt(s.after.ledger)}, ${BigInt(s.after.audit)}, ${BigInt(s.after.liabilities)}, ${bytes(s.signature)},
      ${s.previous_signature === null ? null : bytes(s.previous_signature)})
    on conflict do nothing`;

/** The newest public key; undefined while nothing is signed. */
export async function findCurrentKey(db: Db): Promise<string | undefined> {
  const key = await findValue(db)<Buffer>`select public_key from signing.key order by no desc limit 1`;
  return key?.toString('hex');
}

/** Whether seals of this database are signed. */
export const isSealedWithKey = async (db: Db): Promise<boolean> => (await findCurrentKey(db)) !== undefined;

export type StoredSignature = { readonly no: bigint; readonly key: string; readonly signature: string };

/** @param key public key that signs */
export const insertSignature = (tx: Tx, chain: SealChain, no: bigint, key: string, signature: string): Promise<void> =>
  execute(tx)`
    insert into signing.signature (chain, no, key_no, signature)
    select ${chain}, ${no}, k.no, ${bytes(signature)} from signing.key k where k.public_key = ${bytes(key)}`;

const MAX_SIGNATURES = 10_000;

/** Signatures of seals after a number, up to another or to the end, in order. */
export const listSignatures = (
  db: Db,
  chain: SealChain,
  after: bigint,
  upTo: bigint | undefined,
): Promise<StoredSignature[]> =>
  listRows(db)`
    select s.no, encode(k.public_key, 'hex') as key, encode(s.signature, 'hex') as signature
    from signing.signature s join signing.key k on k.no = s.key_no
    where s.chain = ${chain} and s.no > ${after} and (${upTo ?? null}::bigint is null or s.no <= ${upTo ?? null})
    order by s.no limit ${MAX_SIGNATURES}`;

const bytes = (hex: string) => sql`${Buffer.from(hex, 'hex')}::bytea`;
