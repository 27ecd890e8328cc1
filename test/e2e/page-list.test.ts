import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { paths } from '../../web/src/ui/paths.ts';
import { visits } from './page-list.ts';

const names = Object.keys(paths) as (keyof typeof paths)[];

test('every page of the app has an address at which browsers look it over', () => {
  expect(names.filter((name) => (visits[name] ?? []).length === 0)).toEqual([]);
});

test.each(names)('the addresses listed for %s are addresses of it', (name) => {
  const path = paths[name];
  const pattern = typeof path === 'string' ? path : path('*');
  const parts = pattern.split('*').map((part) => RegExp.escape(part));
  for (const visit of visits[name]) expect(visit).toMatch(new RegExp(`^${parts.join('[^/?#]+')}(?:[?#].*)?$`));
});

test('the routers know no address that is in none of the tables that browsers go by', () => {
  const routers = ['router.tsx', 'other-pages.tsx']
    .map((file) => readFileSync(join(import.meta.dirname, '../../web/src/app', file), 'utf8'))
    .join('');
  const used = [...routers.matchAll(/(?:<Route\s+path=|^ +\[\s*)(.+?)(?:\s+element=|,\s+async )/gm)].map(
    ([, path]) => path ?? '',
  );
  expect(used.length).toBeGreaterThan(40);
  const strange = used.filter((path) => !/^\{?paths\.[a-zA-Z]+(?:\(.*\))?\}?$/.test(path));
  // Those of the console are in a table of its own (test/e2e/console.e2e.ts).
  expect(strange.map((path) => path.replace(/[`${}]/g, '')).sort()).toEqual(['"*"', '"*"', 'operatorPaths.console/*']);
});
