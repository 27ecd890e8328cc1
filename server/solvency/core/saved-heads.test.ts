import { expect, test } from 'vitest';
import type { PublishedHeads } from '#contract/solvency/heads.ts';
import { compareHeads, parseSavedHeads } from './saved-heads.ts';

const published = (at: string, no: string, hash: string): PublishedHeads => ({
  format: 'tradewind/heads/1',
  published_at: at,
  heads: [
    { chain: 'ledger', no, hash: hash.repeat(64), sealed_at: '2026-03-04T11:59:00.000Z' },
    { chain: 'audit', no: '7', hash: 'a'.repeat(64), sealed_at: '2026-03-04T11:59:30.000Z' },
  ],
  public_key: 'b'.repeat(64),
  fingerprint: 'c'.repeat(64),
  signature: 'd'.repeat(128),
});
const [noon, one] = [published('2026-03-04T12:00:00.000Z', '4', '1'), published('2026-03-04T13:00:00.000Z', '6', '2')];
const line = JSON.stringify(noon);

test.each([
  ['one line', line, [noon]],
  ['several lines', `${line}\n${JSON.stringify(one)}\n`, [noon, one]],
  [
    'a list of the API',
    JSON.stringify({ status: 'success', data: { items: [one, noon], next_cursor: null } }),
    [one, noon],
  ],
  ['a file that was laid out anew', JSON.stringify(noon, null, 2), [noon]],
  ['an email that was wrapped', `Hello,\n\n${line.replaceAll(/(.{76})/g, '$1\r\n')}\n\nBye`, [noon]],
  ['an email that was answered', `> Keep this.\n>\n${line.replaceAll(/(.{60})/g, '> $1\n')}`, [noon]],
  ['a text without any', 'Nothing of it.', []],
])('heads are read from %s', (_, text, heads) => {
  expect(parseSavedHeads(text)).toEqual(heads);
});

test.each([
  ['cut', line.slice(0, -40)],
  ['of another form', line.replace('"no":"4"', '"no":"-4"')],
  ['one of two', `${line}\n${line.replace('"chain":"audit",', '')}`],
])('a document that is %s is not taken for none', (_, text) => {
  expect(parseSavedHeads(text)).toBeUndefined();
});

test('heads are where they were, are gone, or are others; each is named once', () => {
  const stored = new Map([
    ['ledger 4', '1'.repeat(64)],
    ['ledger 6', '3'.repeat(64)],
  ]);
  const found = compareHeads([noon, one], (chain, no) => {
    const hash = stored.get(`${chain} ${no}`);
    return hash === undefined ? undefined : { hash };
  });
  expect(found.map(({ subject, message }) => `${subject} ${message}`)).toEqual([
    'audit seal 7 was published at 2026-03-04T12:00:00.000Z and is missing: it was removed, with all that came after it',
    'seal 6 has another hash than was published at 2026-03-04T13:00:00.000Z: it, or a seal before it, was replaced',
  ]);
});
