import { expect, test } from 'vitest';
import { maskEmail } from './emails.ts';

test.each([
  ['anna@mail.example', 'a•••@mail.example'],
  ['anna.berg+tw@mail.co.uk', 'a•••@mail.co.uk'],
  ['ab@mail.example', 'a•••@mail.example'],
  ['a@mail.example', '•••@mail.example'],
  ['"a@b"@mail.example', '"•••@mail.example'],
  ['𝒜nna@mail.example', '𝒜•••@mail.example'],
  ['anna', '•••'],
  ['', '•••'],
])('of a member’s own email address %j only %j is shown', (whole, shown) => {
  expect(maskEmail(whole)).toBe(shown);
});
