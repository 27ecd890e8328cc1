import { passwordMinLength } from '#contract/rules.ts';
import { commonPasswords } from './common-passwords.ts';

/** What strangers know about somebody, so that it protects nothing. */
export type KnownAboutPerson = { readonly referralCode?: string; readonly name: string; readonly email: string };

const SHORTEST_WORD = 3;

/**
 * True for passwords that are guessed first: the common ones, one repeated or counted-up character, and those in
 * which too little is left once the person's own name, mail address and id are taken out (docs/product.md, section 8).
 *
 * `isWeakPassword('Password123', person)`, and for Anna Berg `isWeakPassword('annaberg2026', person)`: 4 characters
 * are left of 8 that are needed. `isWeakPassword('tulip-anna-harbour', person) === false`: 14 are left.
 */
export function isWeakPassword(password: string, person: KnownAboutPerson): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (commonPasswords.has(text) || isSeries(text)) return true;
  const known = wordsAbout(person);
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), text);
  return rest.length < Math.min(passwordMinLength, text.length);
}

/** Longest first, so that a whole address goes before the name inside it. */
function wordsAbout({ referralCode = '', name, email }: KnownAboutPerson): string[] {
  const address = email.normalize('NFKC').toLowerCase();
  const [mailbox = ''] = address.split('@');
  const names = name.normalize('NFKC').toLowerCase().split(/\s+/);
  return [referralCode.toLowerCase(), address, mailbox, ...mailbox.split(/[._-]/), ...names]
    .filter((word) => word.length >= SHORTEST_WORD)
    .sort((a, b) => b.length - a.length);
}

/** `aaaaaaaa`, `12345678`, `hgfedcba`: every step between neighbours is the same 0, 1 or −1. */
function isSeries(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  const [step = 2] = steps;
  return steps.size === 1 && Math.abs(step) <= 1;
}
