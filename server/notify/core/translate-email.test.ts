import { expect, test } from 'vitest';
import { createTexts, english, firstSentence } from '#contract/texts.ts';
import { translateEmail } from './translate-email.ts';

const email = {
  subject: 'Your code',
  text: 'Hello Anna,\n\nyour code is 123456.\nIt is valid for 10 minutes.\n\nAnna wrote this herself.\n',
};

test('each paragraph or line is translated with its values, and text in no catalogue stays', () => {
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

test('the subject of a notification emailed in its own words is taken from its translation', () => {
  const message = 'Session of 4 Mar 2026 settled: 2 trades, P&L −$1.25.';
  const german = createTexts('de', {
    'Session of {0} settled: {1}, P&L {2}.': 'Sitzung vom {0} abgerechnet: {1}, Ergebnis {2}.',
    '# trade|# trades': { one: '# Trade', other: '# Trades' },
  });
  expect(translateEmail({ subject: firstSentence(message), text: `${message}\n` }, german)).toEqual({
    subject: 'Sitzung vom 4 Mar 2026 abgerechnet',
    text: 'Sitzung vom 4 Mar 2026 abgerechnet: 2 Trades, Ergebnis −$1.25.\n',
  });
});

test('in English it stays as written', () => {
  expect(translateEmail(email, english)).toEqual(email);
});
