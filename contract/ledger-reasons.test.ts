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

test('every ledger reason has a label, and every label a reason', () => {
  expect(reasons).toContain('deposit');
  expect(Object.keys(kindWords).toSorted()).toEqual(reasons.toSorted());
});

test('no two reasons have the same label, so that statement lines can be told apart', () => {
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
