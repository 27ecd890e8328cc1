import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as table from '#contract/endpoints.ts';
import { allEndpoints } from '#contract/index.ts';
import { lightEndpoints, lightTable } from './light-endpoints.ts';

test('the browser’s table has every row of the contract, with only what a call needs', () => {
  const rows = Object.entries(lightTable).flatMap(([domain, table]) =>
    Object.entries(table).map(([name, row]) => ({ name: `${domain}.${name}`, ...row })),
  );
  expect(rows).toEqual(
    allEndpoints.map(({ name, row }) => ({
      name,
      method: row.method,
      path: row.path,
      access: typeof row.access === 'string' ? row.access : 'operators',
      ...(row.idempotent ? { idempotent: true } : {}),
    })),
  );
});

test('the module that replaces the table exports everything the table does', () => {
  const load = lightEndpoints().load as (id: string) => string;
  const code = load(join(import.meta.dirname, '../../contract/endpoints.ts'));
  const names = [...code.matchAll(/^export (?:const|\* as) (\w+)/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(Object.keys(table).toSorted());
});
