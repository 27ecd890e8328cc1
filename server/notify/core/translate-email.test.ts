import { expect, test } from 'vitest';
import { createTexts, english } from '#contract/texts.ts';
import { translateEmail } from './translate-email.ts';

const email = {
  subject: 'Your code',
  text: 'Hello Anna,\n\nyour code is 123456.\nIt is valid for 10 minutes.\n\nAnna wrote this herself.\n',
};

test('each paragraph or line is translated with its values, and what is in no catalogue stays', () => {
  const german = createTexts('de', {
    'Your code': 'Ihr Code',
    'Hello {0},': 'Guten Tag {0},',
    'your code is {0}.': 'Ihr Code ist {0}.',
    'It is valid for {0} minutes.': 'Er gilt {0} Minuten.',
  });
  expect(translateEmail(email, german)).toEqual({
    subject: 'Ihr Code',
    text: 'Guten Tag Anna,\n\nIhr Code ist 123456.\nEr gilt 10 Minuten.\n\nAnna wrote this herself.\n',
  });
});

test('in English it stays as it was written', () => {
  expect(translateEmail(email, english)).toEqual(email);
});
