import { expect, test } from 'vitest';
import { createTexts, english } from './texts.ts';

const german = createTexts('de', {
  'Sign in': 'Anmelden',
  credited: 'gutgeschrieben',
  'Deposit of {0} is {1}': '{1}: Einzahlung von {0}',
  '{0} traded': '{0} gehandelt',
  '# trade|# trades': { one: '# Handel', other: '# Handel (Mehrzahl)' },
});

test('without a catalogue the text is in English', () => {
  expect(english.t`Deposit of ${'$5.00'} is ${'credited'}`).toBe('Deposit of $5.00 is credited');
  expect(english.plural(1, { one: '# trade', other: '# trades' })).toBe('1 trade');
  expect(english.plural(1200, { one: '# trade', other: '# trades' })).toBe('1,200 trades');
  expect(english.translate('Sign in')).toBe('Sign in');
});

test('a translated text places its values in its own order', () => {
  expect(german.t`Sign in`).toBe('Anmelden');
  expect(german.t`Deposit of ${'5,00 $'} is ${'bezahlt'}`).toBe('bezahlt: Einzahlung von 5,00 $');
  expect(german.t`Sign out`).toBe('Sign out');
  expect(german.t`constructor`).toBe('constructor');
});

test('a count uses the plural form and digits of the language', () => {
  expect(german.plural(1, { one: '# trade', other: '# trades' })).toBe('1 Handel');
  expect(german.plural(1200, { one: '# trade', other: '# trades' })).toBe('1.200 Handel (Mehrzahl)');
  expect(german.plural(2, { one: '# plan', other: '# plans' })).toBe('2 plans');
});

test('an English text from the server is found by its pattern, and values that are texts are translated', () => {
  expect(german.translate('Deposit of $5.00 is credited')).toBe('gutgeschrieben: Einzahlung von $5.00');
  expect(german.translate('1,200 trades')).toBe('1.200 Handel (Mehrzahl)');
  expect(german.translate('1 trade')).toBe('1 Handel');
  expect(german.translate('3 trades traded')).toBe('3 Handel (Mehrzahl) gehandelt');
  expect(german.translate('Nobody translated this')).toBe('Nobody translated this');
});

test('values are inserted unchanged', () => {
  expect(english.t`Note: ${'{0} $& <b>'}`).toBe('Note: {0} $& <b>');
  expect(german.t`Deposit of ${'{1}'} is ${'$&'}`).toBe('$&: Einzahlung von {1}');
});
