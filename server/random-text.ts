import { hash, randomBytes, randomInt } from 'node:crypto';
import { otpLength, type Referenced, referenceHeads, referralCodeAlphabet } from '#contract/rules.ts';

/** Random letters and digits that are not mistaken for each other. */
export const randomLetters = (count: number): string =>
  Array.from({ length: count }, () => referralCodeAlphabet[randomInt(referralCodeAlphabet.length)]).join('');

/** Random, so that nobody reads from it how many there are: `makeReference('deposit')` is `DP-7M2QX4`. */
export const makeReference = (of: Referenced): string => `${referenceHeads[of]}-${randomLetters(6)}`;

/** Tried again when the reference is taken, which one in many millions is: `insert` answers undefined then. */
export async function insertUnderNewReference<Row>(
  of: Referenced,
  insert: (reference: string) => Promise<Row | undefined>,
): Promise<Row> {
  for (;;) {
    const row = await insert(makeReference(of));
    if (row !== undefined) return row;
  }
}

/** 256 random bits that a person never types: session and reset tokens. Only their hash is stored. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** Plain SHA-256 is enough for what cannot be guessed. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Six digits, leading zeros included. */
export const makeOtp = (): string =>
  randomInt(10 ** otpLength)
    .toString()
    .padStart(otpLength, '0');

const CODE_LETTERS = 8;

/**
 * `TW` and 8 characters that are not mistaken for each other, random so that ids tell nothing (docs/product.md,
 * section 8).
 */
export const makeReferralCode = (): string => `TW${randomLetters(CODE_LETTERS)}`;
