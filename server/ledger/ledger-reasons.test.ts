import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledgerReasons, movementKinds } from '#contract/ledger-reasons.ts';
import { memberClasses } from './core/account.ts';
import { flows } from './core/flow.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/ledger.md'), 'utf8');

test('docs/ledger.md lists exactly the existing flows, in their order', () => {
  const section = document.slice(document.indexOf('## Flows'), document.indexOf('## Reversals'));
  /** `trade_place  primary, profit → trade_escrow  a trade is placed`: a flow from each of the first to each of the second. */
  const rows = [...section.matchAll(/^([a-z_]+) +([a-z_, ]+) → ([a-z_, ]+?) {2,}(\S.*)$/gm)];
  const listed = rows.flatMap(([, reason, from = '', to = '']) =>
    from.split(', ').flatMap((one) => to.split(', ').map((other) => [one, other, reason])),
  );
  expect(listed).toEqual(flows.map(([from, to, reason]) => [from, to, reason]));
});

test('no flow is listed twice, and every reason except the reversal has one', () => {
  expect(new Set(flows.map(([from, to, reason]) => `${from} ${to} ${reason}`)).size).toBe(flows.length);
  expect(new Set(ledgerReasons).size).toBe(ledgerReasons.length);
  expect(ledgerReasons.filter((reason) => !flows.some((flow) => flow[2] === reason))).toEqual(['reversal']);
});

test('a reason can appear in a statement exactly when it moves a member’s money', () => {
  const isOfMembers = (name: string) => name in memberClasses;
  const found = ledgerReasons.filter((reason) =>
    flows.some(([from, to, why]) => why === reason && (isOfMembers(from) || isOfMembers(to))),
  );
  expect(movementKinds).toEqual([...found, 'reversal']);
});
