import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLooseTexts, readLoose, readTexts } from '../web/build/source-texts.ts';

const PROJECT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const files = (pattern: string) => globSync(pattern, { cwd: PROJECT }).sort();

test('every text of a member’s screen is in the catalogue', () => {
  expect(findLooseTexts().map(({ key, path, line }) => `${path}:${line} ${key}`)).toEqual([]);
});

test('nor does a head of a member’s file stay English in other languages', () => {
  const members = files('web/src/{app,api,entities,features,ui}/**/*.{ts,tsx}').filter(
    (path) => !/\.test\.|features\/console/.test(path),
  );
  const bare = members.flatMap((path) => read(path).match(/^ *\['[A-Z][^']*'/gm) ?? []);
  expect(bare).toEqual([]);
});

/** Words that the field does not use, and what it says instead. */
const retired: readonly [words: RegExp, instead: string][] = [
  [/\bmails\b/i, 'emails'],
  [/\bmail address/i, 'email address'],
  [/\bthe own\b/i, 'your'],
  [/\bput in\b/i, 'deposited, invested'],
  [/\bhand(s|ed)? out\b/i, 'distribute'],
  [/\b(take|takes|taken|took) (\w+ )?back\b/i, 'cancel, remove, withdraw'],
  [/\bwhat waits\b/i, 'queue'],
  [/\bdesk\b/i, 'back office'],
  [/\bgiv(e|en|es) up\b/i, 'failed permanently'],
  [/\bcomes? to\b/i, 'is, equals'],
  [/\bgood to know\b/i, 'legal'],
  [/\bsecond[- ]factor\b/i, 'two-factor authentication'],
  [/\bworked out\b/i, 'calculated'],
  [/\bstaked\b/i, 'amount traded'],
  [/\bthe books\b/i, 'the ledger'],
  [/\blet .{1,20} go on\b/i, 'resume'],
  [/\bheld line\b/i, 'buy-and-hold benchmark'],
  [/\bknob\b/i, 'parameter'],
  [/\bopened by\b/i, 'support access'],
  [/\bdeepest\b/i, 'maximum'],
  [/\bway (back|to the stops)\b/i, 'distance to stops'],
  [/\basked (at|on|for)\b/i, 'requested'],
  [/\bthe seal of\b/i, 'proof of liabilities'],
];

const findRetired = (place: string, text: string) =>
  retired.filter(([words]) => words.test(text)).map(([, instead]) => `${place} (${instead}): ${text}`);

test('texts of screens, refusals, emails and commands use the words of the field', () => {
  const found = files('{contract,server,web/src,scripts}/**/*.{ts,tsx}')
    .filter((path) => !/\.test\.|test-setup/.test(path))
    .flatMap((path) => {
      const texts = [...readTexts(path, read(path)), ...readLoose(path, read(path))];
      return texts.flatMap(({ key, line }) => findRetired(`${path}:${line}`, key));
    });
  expect(found).toEqual([]);
});

test('so do the pages of the documentation', () => {
  const pages = [...files('docs/*.md'), 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const lines = pages.flatMap((path) =>
    read(path)
      .replace(/`[^`\n]*`/g, '')
      .split('\n')
      .map((text, index) => [`${path}:${index + 1}`, text] as const),
  );
  expect(lines.flatMap(([place, text]) => findRetired(place, text))).toEqual([]);
});
