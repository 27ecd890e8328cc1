import { join } from 'node:path';
import type { Plugin } from 'vite';
import { darkTokens, lightTokens, sharedTokens } from '../src/api/tokens.ts';

const file = join(import.meta.dirname, '../src/app/styles/tokens.css');

const rule = (selector: string, tokens: Readonly<Record<string, string>>) =>
  `${selector} { ${Object.entries(tokens)
    .map(([name, value]) => `${name}: ${value};`)
    .join(' ')} }\n`;

/** All tokens, as custom properties of the scheme set by web/public/theme.js. Paper is light in either one. */
export const writeTokenStyles = (): string =>
  rule(':root', sharedTokens) +
  rule(':root', lightTokens) +
  `@media screen {\n${rule(':root[data-mantine-color-scheme="dark"]', darkTokens)}}\n`;

/** Fills `app/styles/tokens.css`, so that the first page is styled by a style sheet and waits for no script. */
export function tokenStyles(): Plugin {
  return {
    name: 'token-styles',
    enforce: 'pre',
    load: (id) => (id.split('?')[0] === file ? writeTokenStyles() : null),
  };
}
