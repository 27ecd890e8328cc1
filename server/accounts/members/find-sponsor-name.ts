import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { readLoginId } from '../core/login-id.ts';
import { findMemberByCode } from './member-sql.ts';

/** The name under an Invitation Id, as the sign-up form shows it. Refusal: `unknown_invitation`. */
export async function findSponsorName(context: Context, referralCode: string): Promise<string> {
  const sponsor = await findMemberByCode(context.db, readLoginId(referralCode).value);
  if (sponsor === undefined || sponsor.closedAt !== null) throw new Refused('unknown_invitation');
  return sponsor.name;
}
