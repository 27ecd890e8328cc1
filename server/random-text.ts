import { hash, randomBytes, randomInt } from 'node:crypto';
import { otpLength, type Referenced, referenceHeads, referralCodeAlphabet } from '#contract/rules.ts';

/** Random letters and digits without confusable ones. */
export const randomLetters = (count: number): string =>
  Array.from({ length: count }, () => referralCodeAlphabet[randomInt(referralCodeAlphabet.length)]).join('');

/** Random, so that it does not reveal how many there are: `makeReference('deposit')` is `DP-7M2QX4`. */
export const makeReference = (of: Referenced): string => `${referenceHeads[of]}-${randomLetters(6)}`;

/** Retries with a new reference when `insert` returns undefined because it exists, which is very rare. */
export async function insertUnderNewReference<Row>(
  of: Referenced,
  insert: (reference: string) => Promise<Row | undefined>,
): Promise<Row> {
  for (;;) {
    const row = await insert(makeReference(of));
    if (row !== undefined) return row;
  }
}

/** 256 random bits, for session and reset tokens. Only their hash is stored. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** Plain SHA-256 is enough for unguessable values. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Six digits, leading zeros included. */
export const makeOtp = (): string =>
  randomInt(10 ** otpLength)
    .toString()
    .padStart(otpLength, '0');

const CODE_LETTERS = 8;

/**
 * `TW` and 8 unambiguous characters, random so that ids reveal nothing (docs/product.md, section 8).
 */
export const makeReferralCode = (): string => `TW${randomLetters(CODE_LETTERS)}`;
