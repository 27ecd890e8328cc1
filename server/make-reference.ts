import { randomInt } from 'node:crypto';
import { type Referenced, referenceHeads, referralCodeAlphabet } from '#contract/rules.ts';

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
