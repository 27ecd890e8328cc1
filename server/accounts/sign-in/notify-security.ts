import { stopLinkDays } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, listValues } from '#server/db/rows.ts';
import { notifyMember, queueEmail } from '#server/notify/index.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import type { AccountEmail } from '../core/emails.ts';

const { t } = english;

const DAY_MS = 86_400_000;
/** After a takeover, former addresses still reach the owner. */
const FORMER_ADDRESS_DAYS = 7;

export type SecurityNotice = {
  readonly memberId: bigint;
  /** The notification kind: `password_changed`. */
  readonly kind: string;
  readonly message: string;
  readonly mail: AccountEmail;
  /** The new or requested email address. */
  readonly alsoTo?: string | undefined;
};

/**
 * Sends every security notification: a change of password, email, second factor or payout address, a new device, a used
 * recovery code, a requested withdrawal. The email links to the page with the button *This was not me*, which stops
 * withdrawals. It goes to the current address, to those of the last seven days, and to the one
 * that the account changes to (docs/product.md, section 8).
 */
export async function notifySecurity(context: Context, tx: Tx, notice: SecurityNotice): Promise<void> {
  const { memberId, kind, message, alsoTo } = notice;
  const link = await makeStopLink(context, tx, memberId, kind);
  const since = new Date(context.now().getTime() - FORMER_ADDRESS_DAYS * DAY_MS);
  const { name, referralCode, email } = await getRecipient(tx, memberId);
  const former = await listFormerEmails(tx, memberId, since);
  const { subject, text } = notice.mail({ ...context.config, referralCode });
  const mail = { subject, text: withStopLink(text, link) };
  await notifyMember(tx, { memberId, kind, message, mail });
  const others = new Set([...former, ...(alsoTo === undefined ? [] : [alsoTo])]);
  for (const address of others) {
    if (address !== email) await queueEmail(tx, { memberId, to: { name, address }, ...mail });
  }
}

/** The member of a stop link and the subject of its email; undefined if it is unknown or expired. */
export const findStopLink = (db: Db, token: string, now: Date) =>
  findRow(db)<{ memberId: bigint; about: string }>`
    select member_id as "memberId", about from identity.stop_link
    where token_hash = ${hashToken(token)} and expires_at > ${now}`;

const getRecipient = (tx: Tx, memberId: bigint) =>
  getRow(tx)<{ name: string; referralCode: string; email: string | null }>`
    select name, referral_code as "referralCode", email from identity.member where id = ${memberId}`;

const listFormerEmails = (tx: Tx, memberId: bigint, since: Date) =>
  listValues(tx)<string>`
    select email from identity.former_email where member_id = ${memberId} and changed_at > ${since} order by changed_at`;

/** The token is in the fragment, which browsers do not send: no server, log or referrer sees it. */
async function makeStopLink({ config, now }: Context, tx: Tx, memberId: bigint, about: string): Promise<string> {
  const token = makeToken();
  await execute(tx)`
    insert into identity.stop_link (token_hash, member_id, about, expires_at)
    values (${hashToken(token)}, ${memberId}, ${about}, ${new Date(now().getTime() + stopLinkDays * DAY_MS)})`;
  return `${config.siteUrl}/not-me#${token}`;
}

const withStopLink = (text: string, link: string): string =>
  `${[
    text.trimEnd(),
    t`To stop all withdrawals from your account, open this page and press This was not me: ${link}`,
    t`The button stops them until our team has spoken with you. Opening the page alone changes nothing. The link works for ${stopLinkDays} days.`,
  ].join('\n\n')}\n`;
