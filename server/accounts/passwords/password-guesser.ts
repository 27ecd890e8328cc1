import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { Refused } from '#server/refused.ts';
import { isWeakPassword, type KnownAboutPerson } from '../core/weak-password.ts';

/** Of 0 to 4: under 2 are the passwords that take fewer than a million guesses. */
const LEAST_SCORE = 2;

/**
 * The work grows steeply with the length and with the ways to read a text as other letters (`p4$$w0rd`), and it blocks
 * the process: 64 letters can take seconds, 32 with eight ways at most some ten milliseconds. What is hard to guess in
 * its first 32 letters is not made easier by more.
 */
const MOST_LETTERS = 32;
const MOST_READINGS = 8;

let guesser: Promise<ZxcvbnFactory> | undefined;

/**
 * Whether a password is tried first by whoever guesses: common and leaked ones, the person's own details
 * (docs/product.md, section 8), and what guessing programs make of words, names, dates and keyboard rows, with letters
 * written as digits.
 * `await isEasyToGuess('qwer1234', person)`, `await isEasyToGuess('Summer2024', person)`, not `'a harbour at dusk'`
 */
export async function isEasyToGuess(password: string, person: KnownAboutPerson): Promise<boolean> {
  if (isWeakPassword(password, person)) return true;
  guesser ??= loadGuesser();
  const text = password.normalize('NFKC').slice(0, MOST_LETTERS);
  return (await guesser).check(text, wordsAbout(person)).score < LEAST_SCORE;
}

/** Some megabytes of words, read by the process that first needs them, once. */
async function loadGuesser(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: MOST_LETTERS,
    l33tMaxSubstitutions: MOST_READINGS,
  });
}

const wordsAbout = ({ referralCode = '', name, email }: KnownAboutPerson): string[] =>
  [referralCode, email, name, ...email.split(/[@._-]/), ...name.split(/\s+/)]
    .map((word) => word.slice(0, MOST_LETTERS))
    .filter((word) => word.length > 2);

/** Every way to a password passes here. Refusal: `weak_password`. */
export async function refuseWeakPassword(password: string, person: KnownAboutPerson): Promise<void> {
  if (await isEasyToGuess(password, person)) throw new Refused('weak_password');
}
