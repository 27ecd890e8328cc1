import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { recoveryCodeRules } from '#contract/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, hasRow } from '#server/db/rows.ts';
import { randomLetters } from '#server/make-reference.ts';

/** Ten new codes in place of the ones before. They exist nowhere else: only their hashes are stored. */
export async function issueRecoveryCodes(tx: Tx, memberId: bigint): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeRules.count }, makeRecoveryCode);
  await replaceRecoveryCodes(
    tx,
    memberId,
    codes.map((code) => hashCode(memberId, code)),
  );
  return codes;
}

/** Uses a code up. The caller has counted the try. */
export const takeRecoveryCode = (tx: Tx, memberId: bigint, code: string): Promise<boolean> =>
  takeRecoveryCodeRow(tx, memberId, hashCode(memberId, code));

/** 16 letters of 30 are 78 random bits: nobody finds them, not even from their plain hash. */
function makeRecoveryCode(): string {
  const { groups, groupLetters } = recoveryCodeRules;
  return Array.from({ length: groups }, () => randomLetters(groupLetters)).join('-');
}

/** The same code however it is written: in any case, with or without hyphens and spaces. */
function hashCode(memberId: bigint, code: string): Buffer {
  const letters = code.replaceAll(/[- ]/g, '').toUpperCase();
  return createHash('sha256').update(`recovery\n${memberId}\n${letters}`).digest();
}

/** The codes of a member from now on; the ones before are worth nothing any more. */
async function replaceRecoveryCodes(tx: Tx, memberId: bigint, codeHashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, memberId);
  const values = codeHashes.map((codeHash) => sql`(${memberId}::bigint, ${codeHash}::bytea)`);
  await sql`insert into identity.recovery_code (member_id, code_hash) values ${sql.join(values)}`.execute(tx);
}

export const deleteRecoveryCodes = (tx: Tx, memberId: bigint) =>
  execute(tx)`delete from identity.recovery_code where member_id = ${memberId}`;

/** Uses a code up: of twenty at once, one gets the row. */
const takeRecoveryCodeRow = (tx: Tx, memberId: bigint, codeHash: Buffer) =>
  hasRow(tx)`
    delete from identity.recovery_code where member_id = ${memberId} and code_hash = ${codeHash} returning 1`;

export async function countRecoveryCodes(db: Db, memberId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from identity.recovery_code where member_id = ${memberId}`.execute(db);
  return rows[0]?.count ?? 0;
}
