import { expect, test } from 'vitest';
import { initials, invitationLink } from './invitation.ts';

test('the link opens the sign-up page with the code of the member', () => {
  expect(invitationLink('https://app.test', 'TW7K3QMX9D')).toBe('https://app.test/register?referralCode=TW7K3QMX9D');
});

test.each([
  ['Anika Rao', 'AR'],
  ['Anika Devi Rao', 'AR'],
  ['  anika  rao ', 'AR'],
  ['Anika', 'A'],
  ['李 明', '李明'],
  ['', ''],
])('the initials of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters);
});
