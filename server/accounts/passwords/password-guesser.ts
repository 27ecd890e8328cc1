import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { Refused } from '#server/refused.ts';
import { isWeakPassword, type KnownAboutPerson } from '../core/weak-password.ts';

/** From 0 to 4; passwords below 2 take fewer than a million guesses. */
const MIN_SCORE = 2;

/**
 * The check blocks the process, and its time grows steeply with the length and the number of substitutions
 * (`p4$$w0rd`): 64 letters can take seconds, 32 with eight substitutions some ten milliseconds. More letters do not
 * make a password easier to guess, so checking the first 32 is enough.
 */
const MAX_LETTERS = 32;
const MAX_SUBSTITUTIONS = 8;

let guesser: Promise<ZxcvbnFactory> | undefined;

/**
 * Whether a password is easy to guess: common and leaked ones, the person's own details (docs/product.md, section 8),
 * and combinations of words, names, dates and keyboard rows, also with digits for letters. `await
 * isEasyToGuess('qwer1234', person)`, `await isEasyToGuess('Summer2024', person)`, not `'a harbour at dusk'`
 */
export async function isEasyToGuess(password: string, person: KnownAboutPerson): Promise<boolean> {
  if (isWeakPassword(password, person)) return true;
  guesser ??= loadGuesser();
  const text = password.normalize('NFKC').slice(0, MAX_LETTERS);
  return (await guesser).check(text, wordsAbout(person)).score < MIN_SCORE;
}

/** Reads some megabytes of dictionaries, once, at first use. */
async function loadGuesser(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: MAX_LETTERS,
    l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
  });
}

const wordsAbout = ({ referralCode = '', name, email }: KnownAboutPerson): string[] =>
  [referralCode, email, name, ...email.split(/[@._-]/), ...name.split(/\s+/)]
    .map((word) => word.slice(0, MAX_LETTERS))
    .filter((word) => word.length > 2);

/** The check of every new password. Refuses `weak_password`. */
export async function refuseWeakPassword(password: string, person: KnownAboutPerson): Promise<void> {
  if (await isEasyToGuess(password, person)) throw new Refused('weak_password');
}
