import { hash, randomBytes, randomInt } from 'node:crypto';
import { otpLength } from '#contract/rules.ts';
import { randomLetters } from '#server/make-reference.ts';

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
