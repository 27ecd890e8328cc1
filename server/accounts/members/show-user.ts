import type { User } from '#contract/accounts/sign-in.ts';
import type { Member } from './members.ts';

export const showUser = (member: Member): User => ({
  id: member.id.toString(),
  referral_code: member.referralCode,
  name: member.name,
  email: member.email,
  mobile_number: member.mobileNumber,
  role: 'member',
  created_at: member.createdAt.toISOString(),
});
