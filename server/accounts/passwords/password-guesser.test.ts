import { describe, expect, test } from 'vitest';
import { isEasyToGuess } from './password-guesser.ts';

const anna = { referralCode: 'TW7M2QX4AB', name: 'Anna Lindqvist', email: 'skipper.anna@mail.example' };

describe('isEasyToGuess', () => {
  test.each([
    'qwer1234',
    'Summer2024',
    'letmein99',
    'dragon2020',
    'zxcvbnm123',
    'harbour1',
    'Tr33house',
    'liverpool7',
    '1qaz2wsx',
    'monkey12',
    'michelle1987',
    'p@$$w0rd1',
    'drowssap',
    'aaaabbbb',
  ])('%s is: it is a leaked one, a word, a name or a row of keys', async (password) =>
    expect(await isEasyToGuess(password, anna)).toBe(true),
  );

  test.each(['skipper99', 'L1ndqvist', 'lindqvist7', 'Skipper.Anna1'])(
    '%s is, for who knows the person',
    async (password) => expect(await isEasyToGuess(password, anna)).toBe(true),
  );

  test('the rules before it stay', async () => {
    expect(await isEasyToGuess('annalindqvist2026', anna)).toBe(true);
    expect(await isEasyToGuess('12345678', anna)).toBe(true);
  });

  test.each(['tulip harbour 7', 'a harbour at dusk', 'gale force nine', 'k7#mPq2!', 'schöne Grüße', 'correct horse'])(
    '%s is not',
    async (password) => expect(await isEasyToGuess(password, anna)).toBe(false),
  );

  test('a long and twisted text takes little work', async () => {
    const texts = ['p4$$w0rd'.repeat(25), '4@8({[<369&#!1|0$5+7%2/'.repeat(8), 'aA1!@$0'.repeat(28), 'a'.repeat(200)];
    let most = 0;
    for (const text of texts) {
      // Time of the processor, not of the clock: how busy the machine is with others does not count.
      const begin = process.cpuUsage();
      await isEasyToGuess(text, anna);
      most = Math.max(most, process.cpuUsage(begin).user / 1000);
    }
    // Unbounded it takes several seconds.
    expect(most).toBeLessThan(500);
  });
});
