import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { queueMail } from '#server/notify/index.ts';
import { invitationMail } from '../../core/operator-mails.ts';
import { invitationEnd } from '../../core/operator-rules.ts';
import { hashToken, makeToken } from '../../secrets.ts';
import type { Operator } from '../operator-sql.ts';
import { upsertInvitation } from './invitation-sql.ts';
import { consoleUrl } from './tell-operators.ts';

/** Mails a link that opens once within 48 hours; one mailed before is worth nothing any more. Returns the link. */
export async function sendInvitation(
  context: Context,
  tx: Tx,
  operator: Operator,
  isReset: boolean,
): Promise<{ url: string; expiresAt: Date }> {
  const token = makeToken();
  const expiresAt = invitationEnd(context.now());
  await upsertInvitation(tx, { tokenHash: hashToken(token), operatorId: operator.id, expiresAt });
  const url = `${consoleUrl(context, 'invitation')}#${token}`;
  await queueMail(tx, {
    to: { name: operator.name, address: operator.email },
    ...invitationMail(context.config.brandName, operator.role, url, expiresAt, isReset),
  });
  return { url, expiresAt };
}
