import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Endpoint, operatorRoles } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/index.ts';

const FILE = join(import.meta.dirname, '../docs/operator-roles.md');

type OperatorRow = Endpoint & { readonly access: readonly (typeof operatorRoles)[number][] };
const rows = allEndpoints
  .map(({ row }) => row)
  .filter((row): row is OperatorRow => typeof row.access !== 'string')
  .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1));

const lineOf = (row: OperatorRow) => [
  `\`${row.method} ${row.path}\``,
  ...operatorRoles.map((role) => (row.access.includes(role) ? 'yes' : '')),
  `${row.summary.replaceAll('|', '\\|')}${row.beforeSecondFactor ? ' (_before set-up_)' : ''}`,
];
const headings = ['call', ...operatorRoles, 'what it does'];

/** Cells of the lines of a table, however wide its columns are written. */
const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

test('docs/operator-roles.md lists exactly the calls of operators there are, each with its roles', () => {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  const table = lines.slice(lines.findIndex((line) => cellsOf(line)[0] === 'call'));
  const shown = table.filter((line) => line.startsWith('|') && !line.startsWith('| --')).map(cellsOf);
  expect(shown).toEqual([headings, ...rows.map(lineOf)]);
});

test('a call of operators is under /operator, and no other call is', () => {
  const others = allEndpoints.filter(({ row }) => typeof row.access === 'string' && row.path.startsWith('/operator'));
  expect(rows.filter((row) => !row.path.startsWith('/operator')).map((row) => row.path)).toEqual([]);
  // Those that come before the sign-in.
  expect(others.filter(({ row }) => row.access !== 'public').map(({ name }) => name)).toEqual([]);
});

test('an admin may call all of them, and every row names a role once, in their order', () => {
  for (const { access } of rows) {
    expect(access).toContain('admin');
    expect(access).toEqual(operatorRoles.filter((role) => access.includes(role)));
  }
});
