import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { darkTokens, lightTokens } from '../../api/tokens.ts';
import { colorSchemeKey, defaultColorScheme } from './theme.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

test('what is painted before the app runs has the theme’s colours', () => {
  const styles = read('src/app/styles/base.css');
  const [dark, light] = [...styles.matchAll(/^ {2}background: (#\w+);/gm)].map((match) => match[1]);
  expect(dark).toBe(darkTokens['--tw-bg']);
  expect(light).toBe(lightTokens['--tw-bg']);
});

test('the script before the first paint reads the choice from where the app stores it', () => {
  const script = read('public/theme.js');
  expect(script).toContain(`localStorage.getItem('${colorSchemeKey}') || '${defaultColorScheme}'`);
});

test('both colour schemes have the same tokens', () => {
  expect(Object.keys(lightTokens)).toEqual(Object.keys(darkTokens));
});
