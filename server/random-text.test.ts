import { expect, test } from 'vitest';
import { readReference } from '#server/operator/core/search-terms.ts';
import { insertUnderNewReference, makeOtp, makeReference, makeReferralCode, makeToken } from './random-text.ts';

test('a generated reference is parsed', () => {
  const text = makeReference('treasury');
  expect(text).toMatch(/^TM-[A-HJKMNP-TV-Z2-9]{6}$/);
  expect(readReference(text)).toEqual({ kind: 'treasury', text });
});

test('one that is taken is replaced by another', async () => {
  const taken: string[] = [];
  const insert = async (reference: string) => (taken.push(reference) < 3 ? undefined : reference);
  expect(await insertUnderNewReference('ticket', insert)).toBe(taken[2]);
  expect(new Set(taken).size).toBe(3);
});

const DRAWS = 2000;
const draw = (make: () => string) => Array.from({ length: DRAWS }, make);

test('a token has 256 random bits, and none repeats', () => {
  const tokens = draw(makeToken);
  expect(new Set(tokens).size).toBe(DRAWS);
  const bytes = tokens.map((token) => Buffer.from(token, 'base64url'));
  expect(bytes.every(({ length }) => length === 32)).toBe(true);
  for (let bit = 0; bit < 256; bit += 1) {
    const ones = bytes.filter((value) => ((value[bit >> 3] as number) >> (bit & 7)) & 1).length;
    // Nine standard deviations of a fair coin.
    expect(Math.abs(ones - DRAWS / 2)).toBeLessThan(200);
  }
});

test('an emailed code has six digits, each uniformly random', () => {
  const codes = draw(makeOtp);
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  for (let place = 0; place < 6; place += 1) {
    for (let digit = 0; digit < 10; digit += 1) {
      const found = codes.filter((code) => code[place] === `${digit}`).length;
      expect(Math.abs(found - DRAWS / 10)).toBeLessThan(120);
    }
  }
});

test('Registered Ids do not repeat', () => {
  expect(new Set(draw(makeReferralCode)).size).toBe(DRAWS);
});
