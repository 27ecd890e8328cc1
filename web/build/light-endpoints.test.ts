import { expect, test } from 'vitest';
import { allEndpoints } from '#contract/index.ts';
import { lightTable } from './light-endpoints.ts';

test('the browser’s table has every row of the contract, with what a call needs and nothing else', () => {
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
