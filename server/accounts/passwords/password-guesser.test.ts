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
  ])('%s is: it is leaked, a word, a name or a keyboard row', async (password) =>
    expect(await isEasyToGuess(password, anna)).toBe(true),
  );

  test.each(['skipper99', 'L1ndqvist', 'lindqvist7', 'Skipper.Anna1'])('%s is, knowing the person', async (password) =>
    expect(await isEasyToGuess(password, anna)).toBe(true),
  );

  test('the earlier rules still apply', async () => {
    expect(await isEasyToGuess('annalindqvist2026', anna)).toBe(true);
    expect(await isEasyToGuess('12345678', anna)).toBe(true);
  });

  test.each(['tulip harbour 7', 'a harbour at dusk', 'gale force nine', 'k7#mPq2!', 'schöne Grüße', 'correct horse'])(
    '%s is not',
    async (password) => expect(await isEasyToGuess(password, anna)).toBe(false),
  );

  test('a long and twisted text is checked quickly', async () => {
    const texts = ['p4$$w0rd'.repeat(25), '4@8({[<369&#!1|0$5+7%2/'.repeat(8), 'aA1!@$0'.repeat(28), 'a'.repeat(200)];
    let most = 0;
    for (const text of texts) {
      // CPU time, not wall-clock time: load on the machine does not count.
      const begin = process.cpuUsage();
      await isEasyToGuess(text, anna);
      most = Math.max(most, process.cpuUsage(begin).user / 1000);
    }
    // Without a bound it takes several seconds.
    expect(most).toBeLessThan(500);
  });
});
