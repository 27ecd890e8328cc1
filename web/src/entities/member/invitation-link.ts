import { paths } from '../../ui/paths.ts';

/** The address under which somebody signs up with this member as their sponsor. */
export const invitationLink = (origin: string, referralCode: string): string =>
  `${origin}${paths.register}?referralCode=${encodeURIComponent(referralCode)}`;
