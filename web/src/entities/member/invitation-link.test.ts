import { expect, test } from 'vitest';
import { invitationLink } from './invitation-link.ts';

test('the link opens the sign-up page with the code of the member', () => {
  expect(invitationLink('https://app.test', 'TW7K3QMX9D')).toBe('https://app.test/register?referralCode=TW7K3QMX9D');
});
