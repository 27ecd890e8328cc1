import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../src');
const MANTINE = join(import.meta.dirname, '../../node_modules/@mantine/core/esm');
const read = (file: string) => readFileSync(file, 'utf8');

/** The Mantine imports of the app, by name. */
const used = globSync('**/*.tsx', { cwd: SOURCE })
  .filter((file) => !file.includes('.test.'))
  .flatMap((file) => [...read(join(SOURCE, file)).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
  .flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));

/** The components whose style modules are reachable from a Mantine file. */
function stylesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || !existsSync(file)) return [];
  seen.add(file);
  if (file.endsWith('.module.mjs')) return [basename(file, '.module.mjs')];
  const imported = [...read(file).matchAll(/from "(\.[^"]+)"/g)].map(([, path = '']) => join(dirname(file), path));
  return imported.flatMap((path) => stylesOf(path, seen));
}

test('every Mantine component that the app uses has its style sheet', () => {
  const sheets = ['app/styles/mantine.css', 'ui/frame/member.css'].map((file) => read(join(SOURCE, file))).join();
  const loaded = [...sheets.matchAll(/styles\/(\w+)\.layer\.css/g)].map(([, name]) => name);
  const seen = new Set<string>();
  const needed = globSync('components/**/*.mjs', { cwd: MANTINE })
    .filter((file) => used.includes(basename(file, '.mjs')))
    .flatMap((file) => stylesOf(join(MANTINE, file), seen));
  expect(needed).toContain('Button');
  // Parts of Checkbox that the app does not use.
  const missing = needed.filter((name) => !loaded.includes(name) && !/^Checkbox./.test(name));
  expect(missing).toEqual([]);
});
