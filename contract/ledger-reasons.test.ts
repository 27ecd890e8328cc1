import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { kindWords, wordsOfKind } from './ledger-reasons.ts';

const folder = resolve(import.meta.dirname, '../server/db/migrations');
const migrations = readdirSync(folder).map((name) => readFileSync(resolve(folder, name), 'utf8'));
const reasons = migrations.flatMap((text) => {
  const first = /create type ledger\.reason as enum \(([^)]*)\)/.exec(text)?.[1] ?? '';
  const later = /alter type ledger\.reason add value '\w+'/g;
  return [first, ...(text.match(later) ?? [])].flatMap((part) =>
    [...part.matchAll(/'(\w+)'/g)].map(([, name]) => name),
  );
});

test('every reason of the ledger has words, and no words stand for a reason that does not exist', () => {
  expect(reasons).toContain('deposit');
  expect(Object.keys(kindWords).toSorted()).toEqual(reasons.toSorted());
});

test('no two reasons read the same, so that a statement can be told line from line', () => {
  expect(new Set(Object.values(kindWords)).size).toBe(reasons.length);
});

test.each([
  ['trade_return', 'Trade settled'],
  ['performance_fee', 'Performance fee'],
  // Sent by a server newer than this page.
  ['copy_trade_share', 'Copy trade share'],
  ['toString', 'ToString'],
])('%s reads "%s"', (kind, words) => {
  expect(wordsOfKind(kind)).toBe(words);
});
