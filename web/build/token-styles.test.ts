import { expect, test } from 'vitest';
import { darkTokens, lightTokens, sharedTokens } from '../src/api/tokens.ts';
import { writeTokenStyles } from './token-styles.ts';

test('the style sheet has every token, in the rule of its colour scheme', () => {
  const [anywhere = '', onScreen = ''] = writeTokenStyles().split('@media screen');
  expect(rulesOf(anywhere)).toEqual([
    { selector: ':root', tokens: sharedTokens },
    { selector: ':root', tokens: lightTokens },
  ]);
  expect(rulesOf(onScreen)).toEqual([{ selector: ':root[data-mantine-color-scheme="dark"]', tokens: darkTokens }]);
});

const rulesOf = (styles: string) =>
  [...styles.matchAll(/^(\S+) \{ (.*) \}$/gm)].map(([, selector, body = '']) => ({
    selector,
    tokens: Object.fromEntries([...body.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value])),
  }));
