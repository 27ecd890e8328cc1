import { createHash } from 'node:crypto';
import { recoveryCodeRules } from '#contract/rules.ts';
import type { Tx } from '#server/db/connect.ts';
import { randomLetters } from '#server/make-reference.ts';
import { replaceRecoveryCodes, takeRecoveryCodeRow } from './recovery-code-sql.ts';

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
