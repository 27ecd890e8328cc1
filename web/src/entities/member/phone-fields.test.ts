import { expect, test } from 'vitest';
import { readMobile } from './phone-fields.tsx';

test.each([
  ['98765 43210', undefined, '9876543210'],
  ['98765-43210', undefined, '9876543210'],
  ['(98765) 43210', undefined, '9876543210'],
  ['098765 43210', undefined, '9876543210'],
  ['+91 98765-43210', '+91', '9876543210'],
  ['0091 98765 43210', '+91', '9876543210'],
  ['+1 (987) 654-3210', '+1', '9876543210'],
  ['+971 98765 43210', '+971', '9876543210'],
  ['98765', undefined, '98765'],
  ['no digits', undefined, ''],
  // The prefix is not a dial code: truncated, as when typed.
  ['9876543210 9876543210', undefined, '9876543210'],
  ['1234 5678 9012 34', undefined, '1234567890'],
])('%s is read as dial code %s and %s', (text, dialCode, mobile) => {
  expect(readMobile(text)).toEqual(dialCode === undefined ? { mobile } : { dialCode, mobile });
});
