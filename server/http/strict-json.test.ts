import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isExact, parseStrictJson } from './strict-json.ts';

test.each([
  ['5.50', true],
  ['0', true],
  ['0.000001', true],
  ['1e3', true],
  ['1.5E-3', true],
  ['9007199254740991', true],
  ['9007199254740993', false],
  ['5.0000000000000000001', false],
  ['0.1000000000000000055', false],
  ['1e309', false],
  ['-0', false],
  ['-0.0', false],
  ['1e-400', false],
])('%s is preserved exactly: %s', (source, exact) => {
  expect(isExact(source, Number(source))).toBe(exact);
});

test('a number that parsing would change becomes NaN, so that its field is refused', () => {
  expect(parseStrictJson('{"amount": 5.0000000000000000001, "other": [1e309]}')).toEqual({ amount: NaN, other: [NaN] });
});

test('every number in a body is preserved exactly or becomes NaN, however it is written', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 });
  const number = fc
    .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.constantFrom('', 'e2', 'E-3', 'e308', 'e-400'))
    .map(
      ([sign, whole, fraction, power]) => `${sign}${BigInt(whole)}${fraction === null ? '' : `.${fraction}`}${power}`,
    );
  fc.assert(
    fc.property(number, (source) => {
      const value = Number(source);
      expect(parseStrictJson(`{"a":[${source}, true]}`)).toEqual({ a: [isExact(source, value) ? value : NaN, true] });
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['a duplicate key', '{"a":1,"a":2}'],
  ['a duplicate key written with an escape', '{"a":1,"\\u0061":2}'],
  ['__proto__', '{"__proto__":{"x":1}}'],
  ['__proto__ behind an escape', '{"\\u005f_proto__":1}'],
  ['depth', '['.repeat(17) + ']'.repeat(17)],
  ['400 000 levels', '['.repeat(400_000)],
  ['half of a surrogate pair', '{"a":["\\udc00x"]}'],
  ['half of a surrogate pair in a key', '{"\\ud800":1}'],
  ['half a document', '{"a":'],
  ['no document', 'hello'],
  ['an open string', '{"a'],
  ['a string that ends in an escape', '{"a":"\\\\\\"'],
  ['millions of numbers', `[0${',0'.repeat(5_000_000)}]`],
  ['more values than any request has', `[0${',0'.repeat(65_536)}]`],
])('%s is refused', (_name, text) => {
  expect(() => parseStrictJson(text)).toThrowError('The request could not be read. Send valid JSON.');
});

test('a number of a million digits is no amount, and is rejected quickly', () => {
  for (const digits of [`1${'0'.repeat(1_000_000)}1`, `0.${'0'.repeat(1_000_000)}`])
    expect(parseStrictJson(`{"amount":${digits}}`)).toEqual({ amount: NaN });
});

test('a file in base64 and the maximum number of values are accepted', () => {
  const text = 'A'.repeat(20_000_000);
  expect(parseStrictJson(`{"content":"${text}\\\\","n":[0${',0'.repeat(65_000)}]}`)).toMatchObject({
    content: `${text}\\`,
  });
});

test('the same key in two objects is no duplicate', () => {
  expect(parseStrictJson('[{"a":{"a":"a"}},{"a":"\\":"}]')).toEqual([{ a: { a: 'a' } }, { a: '":' }]);
});

test('a whole surrogate pair is a character', () => {
  expect(parseStrictJson('{"\\ud83d\\ude00":"\\ud83d\\ude00"}')).toEqual({ '😀': '😀' });
});

test('whatever JSON.stringify writes is read back unchanged', () => {
  const value = fc.jsonValue({ maxDepth: 5 }).filter((v) => !JSON.stringify(v).includes('__proto__'));
  fc.assert(
    fc.property(value, (v) => {
      expect(parseStrictJson(JSON.stringify(v))).toEqual(JSON.parse(JSON.stringify(v)));
    }),
  );
});
