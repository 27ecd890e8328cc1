import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passwordMinLength } from '#contract/rules.ts';
import { commonPasswords, isWeakPassword } from './weak-password.ts';

const anna = { referralCode: 'TW7M2QX4AB', name: 'Anna Berg', email: 'anna.berg@mail.example' };

describe('isWeakPassword', () => {
  test.each(['password', 'Password123', 'QWERTYUIOP', 'iloveyou', '1q2w3e4r', 'p@ssw0rd', 'bitcoin123', 'jaishriram'])(
    'refuses %s, which attackers try first',
    (password) => expect(isWeakPassword(password, anna)).toBe(true),
  );

  test.each(['aaaaaaaa', '12345678', '87654321', 'abcdefgh', 'ZYXWVUTS', '        '])(
    'refuses the series %s',
    (password) => expect(isWeakPassword(password, anna)).toBe(true),
  );

  test.each([
    'annaberg',
    'AnnaBerg2026',
    'berg-anna',
    'anna.berg@mail.example',
    'tw7m2qx4ab!',
    '2026tw7m2qx4ab',
    'anna1990',
  ])('refuses %s, which is mostly the person’s own data', (password) =>
    expect(isWeakPassword(password, anna)).toBe(true),
  );

  test.each(['tulip-anna-harbour', 'correct horse', 'k7#mPq2!', 'schöne Grüße', '12345679x', 'aaaaaaab'])(
    'accepts %s',
    (password) => expect(isWeakPassword(password, anna)).toBe(false),
  );

  test('a name of one or two letters does not remove letters from other words', () => {
    expect(isWeakPassword('a quiet bay', { name: 'A Qu', email: 'q@mail.example' })).toBe(false);
  });

  test('case never matters', () => {
    fc.assert(
      fc.property(fc.constantFrom(...commonPasswords), (password) => {
        expect(isWeakPassword(password.toUpperCase(), anna)).toBe(true);
      }),
    );
  });
});

test('the list has only entries long enough to be passwords, in the form they are looked up', () => {
  expect(commonPasswords.size).toBeGreaterThan(300);
  for (const password of commonPasswords) {
    expect(password.length, password).toBeGreaterThanOrEqual(passwordMinLength);
    expect(password).toBe(password.normalize('NFKC').toLowerCase());
  }
});
