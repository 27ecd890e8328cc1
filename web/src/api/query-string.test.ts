import { expect, test } from 'vitest';
import { queryString } from './call.ts';

test.each([
  [undefined, ''],
  [{}, ''],
  [{ a: null, b: undefined }, ''],
  [{ referralCode: 'TW1', from: null }, '?referralCode=TW1'],
  [{ limit: 0, on: false, text: '' }, '?limit=0&on=false&text='],
  [{ text: 'a b&c=ü' }, '?text=a+b%26c%3D%C3%BC'],
])('%o becomes %s', (values, expected) => {
  expect(queryString(values)).toBe(expected);
});
