import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { hashToken } from '../../secrets.ts';
import { findInvitation, type Invitation } from './invitation-sql.ts';

/** Whom a mailed link invites, without using it up. Refusal: `invitation_over`, whatever is wrong with it. */
export async function getInvitation(context: Context, token: string): Promise<Invitation> {
  const invitation = await findInvitation(context.db, hashToken(token), context.now());
  if (invitation === undefined) throw new Refused('invitation_over');
  return invitation;
}
