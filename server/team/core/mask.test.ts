import { expect, test } from 'vitest';
import { maskEmail, maskMobile } from './mask.ts';

test.each([
  ['+919876544127', '••••••4127'],
  ['+14155550100', '••••••0100'],
  ['98765432', '••••••5432'],
  ['9876543', '••••••'],
  ['4127', '••••••'],
  ['', '••••••'],
])('of the mobile number %j only %j is shown', (whole, shown) => {
  expect(maskMobile(whole)).toBe(shown);
});

test.each([
  ['anna@tidewater.example', 'a•••@t•••.example'],
  ['anna.berg+tw@mail.tidewater.co.uk', 'a•••@m•••.uk'],
  ['ab@cd.de', 'a•••@c•••.de'],
  ['a@b.de', '•••@•••.de'],
  ['a@bc.de', '•••@b•••.de'],
  ['anna@localhost', 'a•••@l•••'],
  ['"odd@name"@mail.test', '"•••@m•••.test'],
  ['élise@mail.test', 'é•••@m•••.test'],
  ['𝒜nna@mail.test', '𝒜•••@m•••.test'],
  ['@', '•••@•••'],
  ['anna', '•••'],
  ['', '•••'],
])('of the email address %j only %j is shown', (whole, shown) => {
  expect(maskEmail(whole)).toBe(shown);
});

test('the length of a number or an address is hidden', () => {
  expect(maskMobile('+9198765432101234')).toHaveLength(maskMobile('+919876541234').length);
  expect(maskEmail(`${'a'.repeat(60)}@${'t'.repeat(60)}.example`)).toBe(maskEmail('anna@tidewater.example'));
});
