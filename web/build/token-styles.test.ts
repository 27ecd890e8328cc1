import { expect, test } from 'vitest';
import { darkTokens, lightTokens, sharedTokens } from '../src/api/tokens.ts';
import { writeTokenStyles } from './token-styles.ts';

test('the style sheet has every token, in the rule of its colour scheme', () => {
  const rules = [...writeTokenStyles().matchAll(/^(\S+) \{ (.*) \}$/gm)].map(([, selector, body = '']) => ({
    selector,
    tokens: Object.fromEntries([...body.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value])),
  }));
  expect(rules).toEqual([
    { selector: ':root', tokens: sharedTokens },
    { selector: ':root[data-mantine-color-scheme="dark"]', tokens: darkTokens },
    { selector: ':root[data-mantine-color-scheme="light"]', tokens: lightTokens },
  ]);
});
