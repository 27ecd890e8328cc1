import type { AuthSession, Opening, Security } from '#contract/accounts/profile.ts';
import type { User } from '#contract/accounts/sign-in.ts';

export const aUser = (given: Partial<User> = {}): User => ({
  id: '42',
  referral_code: 'TW7K3QMX9D',
  name: 'Anika Rao',
  email: 'anika@example.com',
  mobile_number: '+919876543210',
  role: 'member',
  created_at: '2025-12-05T16:20:00Z',
  ...given,
});

export const theSecurity = (given: Partial<Security> = {}): Security => ({
  second_factor: false,
  app: given.second_factor === true,
  passkeys: 0,
  recovery_codes_left: 0,
  email_verified: false,
  password_changed_at: null,
  email_request: null,
  second_factor_ends_at: null,
  ...given,
});

/** The current device. */
export const aSession = (given: Partial<AuthSession> = {}): AuthSession => ({
  id: '1',
  device: 'Firefox on Windows',
  address: '203.0.113.7',
  created_at: '2026-03-03T08:15:00Z',
  last_used_at: '2026-03-04T14:05:00Z',
  expires_at: '2026-03-05T14:05:00Z',
  current: true,
  ...given,
});

/** Support access that has ended. */
export const anOpening = (given: Partial<Opening> = {}): Opening => ({
  id: '5',
  name: 'Ida Moen',
  reason: 'Ticket Q-7M2QX4',
  opened_at: '2026-03-04T14:05:00Z',
  ended_at: '2026-03-04T14:17:00Z',
  expires_at: '2026-03-04T14:35:00Z',
  ...given,
});
