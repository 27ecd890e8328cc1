import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Endpoint, operatorRoles } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/index.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/operators-guide.md'), 'utf8');

type OperatorRow = Endpoint & { readonly access: readonly (typeof operatorRoles)[number][] };
const rows = allEndpoints
  .map(({ row }) => row)
  .filter((row): row is OperatorRow => typeof row.access !== 'string')
  .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1));

/** `- _finance, admin_: …` under _Calls by role_, each call without `/operator`. */
const listed = [...(page.split('## Calls by role')[1] ?? '').matchAll(/^- _([^_]+)_: (.*)$/gm)].flatMap(
  ([, roles = '', calls = '']) =>
    [...calls.matchAll(/`([A-Z]+) ([^`]+)`/g)].map(([, method, path]) => ({
      roles,
      call: `${method} /operator${path}`,
    })),
);
const setUp = 'before two-factor set-up';

test('docs/operators-guide.md lists exactly the calls of operators there are, each with its roles', () => {
  const inOrder = (calls: { call: string; roles: string }[]) =>
    calls.map(({ call, roles }) => `${call} ${roles}`).sort();
  const expected = rows.map(({ method, path, access }) => ({ call: `${method} ${path}`, roles: access.join(', ') }));
  expect(inOrder(listed.filter(({ roles }) => roles !== setUp))).toEqual(inOrder(expected));
});

test('and those that come before two-factor authentication is set up', () => {
  const expected = rows.filter((row) => row.beforeSecondFactor).map(({ method, path }) => `${method} ${path}`);
  expect(listed.filter(({ roles }) => roles === setUp).map(({ call }) => call)).toEqual(expected);
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
