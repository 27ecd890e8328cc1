import { payoutRules } from '#contract/rules.ts';
import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { queueEmail } from '#server/notify/index.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { legalConfirmationEmail, legallyConfirmedEmail } from '../../core/operator-emails.ts';
import { lockDecisions } from '../accounts/account-sql.ts';
import { consoleUrl, notifyOperators } from '../accounts/decide.ts';
import { lockOperator } from '../operator-sql.ts';
import {
  countConfirmed,
  deleteConfirmation,
  findOpenLink,
  isOperatorsMailbox,
  listUnasked,
  type OpenLink,
  shareAdmins,
  updateConfirmed,
  upsertLink,
} from './legal-confirmation-sql.ts';

const DAY_MS = 86_400_000;

/** What live payouts still require; null outside live mode, or if all requirements are met. */
export type PayoutNeeds = {
  /** Whether `LEGAL_CONTACT_EMAIL` is set, and not an operator's address. */
  readonly hasContact: boolean;
  readonly confirmedAdmins: number;
  readonly neededAdmins: number;
} | null;

export async function findPayoutNeeds({ config }: Context, db: Db): Promise<PayoutNeeds> {
  if (config.mode !== 'live') return null;
  const { confirmedAdmins: neededAdmins } = payoutRules;
  const confirmedAdmins = await countConfirmed(db);
  if (confirmedAdmins >= neededAdmins) return null;
  const { legalContactEmail: contact } = config;
  const hasContact = contact !== undefined && !(await isOperatorsMailbox(db, contact));
  return { hasContact, confirmedAdmins, neededAdmins };
}

/** The same, locked until the transaction ends: the end of a confirmation waits, or is seen. */
export async function lockPayoutNeeds(context: Context, tx: Tx): Promise<PayoutNeeds> {
  if (context.config.mode === 'live') await shareAdmins(tx);
  return findPayoutNeeds(context, tx);
}

/**
 * Job: in live mode, emails the legal contact a link for every admin with a passkey who is not confirmed, once a week.
 * So it covers new admins, new passkeys, resets, and a changed contact address. Sends nothing if the contact is an
 * operator.
 *
 * @returns how many were sent
 */
export async function askLegalContact(context: Context): Promise<number> {
  const { mode, legalContactEmail: sentTo, brandName } = context.config;
  if (mode !== 'live' || sentTo === undefined) return 0;
  return inTransaction(context.db, async (tx) => {
    await lockDecisions(tx);
    if (await isOperatorsMailbox(tx, sentTo)) return 0;
    const now = context.now();
    const admins = await listUnasked(tx, sentTo, now);
    for (const admin of admins) {
      const token = makeToken();
      const expiresAt = new Date(now.getTime() + payoutRules.legalLinkDays * DAY_MS);
      await upsertLink(tx, { operatorId: admin.id, tokenHash: hashToken(token), sentTo, now, expiresAt });
      const url = `${context.config.siteUrl}/confirm-admin#${token}`;
      await queueEmail(tx, {
        to: { name: 'Legal contact', address: sentTo },
        ...legalConfirmationEmail(brandName, admin, url, expiresAt),
      });
      await writeAudit(tx, {
        actor: { kind: 'system', id: null },
        action: 'operator.ask_legal_contact',
        subject: `operator:${admin.id}`,
        after: { sentTo, expiresAt },
      });
    }
    return admins.length;
  });
}

/** The admin of a link, which stays valid. Refuses `confirmation_over`, whatever is wrong with it. */
export const getLegalConfirmation = async (context: Context, token: string): Promise<OpenLink> =>
  orRefuse(await findOpenLink(context.db, hashToken(token), context.now()), 'confirmation_over');

/**
 * Confirms an admin with their current passkeys. Whoever holds the link acts for the legal contact. It works once, and
 * every operator is notified. Refuses `confirmation_over`.
 */
export async function confirmAdmin(
  context: Context,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<void> {
  const { id } = await getLegalConfirmation(context, token);
  await inTransaction(context.db, async (tx) => {
    await lockOperator(tx, id);
    const now = context.now();
    const link = await findOpenLink(tx, hashToken(token), now);
    if (link === undefined || !(await updateConfirmed(tx, hashToken(token), now))) {
      throw new Refused('confirmation_over');
    }
    const { name, email, passkeys, sentTo } = link;
    await writeAudit(tx, {
      actor: { kind: 'system', id: null },
      action: 'operator.confirm_by_legal_contact',
      subject: `operator:${id}`,
      after: { by: sentTo, email, passkeys },
      address,
    });
    const mail = legallyConfirmedEmail(context.config.brandName, { name, email }, consoleUrl(context, 'operators'));
    await notifyOperators(tx, mail, { everybody: true, ids: [] });
  });
}

/**
 * Ends the confirmation of an admin who was reset, disabled, lost the role or the last passkey, or has one that no
 * passkey vouched for. The caller has changed or locked the operator's row. No effect without a confirmation.
 */
export async function endLegalConfirmation(
  tx: Tx,
  operatorId: bigint,
  { actor, address, why }: { readonly actor: Actor; readonly address?: string | undefined; readonly why: string },
): Promise<void> {
  const ended = await deleteConfirmation(tx, operatorId);
  if (ended === undefined) return;
  await writeAudit(tx, {
    actor,
    address,
    action: 'operator.end_legal_confirmation',
    subject: `operator:${operatorId}`,
    before: { confirmedAt: ended.confirmedAt },
    after: { why },
  });
}
