import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledgerReasons, movementKinds } from '#contract/ledger-reasons.ts';
import { memberClasses } from './core/account.ts';
import { flows } from './core/flow.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/ledger-reasons.md'), 'utf8');

test('docs/ledger-reasons.md lists exactly the flows there are, in their order', () => {
  const section = document.slice(document.indexOf('## Flows'), document.indexOf('## Reversals'));
  const rows = section.split('\n').filter((row) => row.startsWith('| `'));
  const cells = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
  expect(cells).toEqual(flows.map((flow) => [...flow]));
});

test('no flow is listed twice, and every reason but the reversal has one', () => {
  expect(new Set(flows.map(([from, to, reason]) => `${from} ${to} ${reason}`)).size).toBe(flows.length);
  expect(new Set(ledgerReasons).size).toBe(ledgerReasons.length);
  expect(ledgerReasons.filter((reason) => !flows.some((flow) => flow[2] === reason))).toEqual(['reversal']);
});

test('a reason can stand in a statement exactly when it moves money of a member', () => {
  const isOfMembers = (name: string) => name in memberClasses;
  const found = ledgerReasons.filter((reason) =>
    flows.some(([from, to, why]) => why === reason && (isOfMembers(from) || isOfMembers(to))),
  );
  expect(movementKinds).toEqual([...found, 'reversal']);
});
