import { stopLinkDays } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow } from '#server/db/rows.ts';
import { notifyMember, queueEmail } from '#server/notify/index.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import type { EmailText } from '../core/emails.ts';

const { t } = english;

const DAY_MS = 86_400_000;
/** The address before a change still belongs to whom a thief would lock out. */
const OLD_ADDRESS_DAYS = 7;

export type SecurityNotice = {
  readonly memberId: bigint;
  /** For programs: `password_changed`. */
  readonly kind: string;
  readonly message: string;
  readonly mail: EmailText;
  /** An address that the account moves to, or is asked to move to. */
  readonly alsoTo?: string | undefined;
};

/**
 * The one way in which a member is told of what protects the account: a change of password, email, second factor or payout
 * address, a new device, a used recovery code, a requested withdrawal. The email carries the link to the page with the
 * button *This was not me*, which stops withdrawals, and goes to the address in force, to the one before it where that
 * changed in the last seven days, and to the one that the account moves to (docs/product.md, section 8).
 */
export async function notifySecurity(context: Context, tx: Tx, notice: SecurityNotice): Promise<void> {
  const { memberId, kind, message, alsoTo } = notice;
  const link = await makeStopLink(context, tx, memberId, kind);
  const mail = { subject: notice.mail.subject, text: withStopLink(notice.mail.text, link) };
  await notifyMember(tx, { memberId, kind, message, mail });
  const since = new Date(context.now().getTime() - OLD_ADDRESS_DAYS * DAY_MS);
  const { name, email, before } = await findAddresses(tx, memberId, since);
  const others = new Set([before, alsoTo].filter((one) => typeof one === 'string' && one !== email));
  for (const address of others) {
    await queueEmail(tx, { memberId, to: { name, address: address as string }, ...mail });
  }
}

/** Whose link this is, and what its email was about; undefined when it is unknown or too old. */
export const findStopLink = (db: Db, token: string, now: Date) =>
  findRow(db)<{ memberId: bigint; about: string }>`
    select member_id as "memberId", about from identity.stop_link
    where token_hash = ${hashToken(token)} and expires_at > ${now}`;

const findAddresses = (tx: Tx, memberId: bigint, since: Date) =>
  getRow(tx)<{ name: string; email: string | null; before: string | null }>`
    select name, email, case when email_changed_at > ${since} then email_before end as before
    from identity.member where id = ${memberId}`;

/** In the fragment, which browsers keep to themselves: no server, log or referrer ever sees the token. */
async function makeStopLink({ config, now }: Context, tx: Tx, memberId: bigint, about: string): Promise<string> {
  const token = makeToken();
  await execute(tx)`
    insert into identity.stop_link (token_hash, member_id, about, expires_at)
    values (${hashToken(token)}, ${memberId}, ${about}, ${new Date(now().getTime() + stopLinkDays * DAY_MS)})`;
  return `${config.publicUrl ?? `http://${config.host}:${config.port}`}/not-me#${token}`;
}

const withStopLink = (text: string, link: string): string =>
  `${[
    text.trimEnd(),
    t`To stop all withdrawals from your account, open this page and press This was not me: ${link}`,
    t`The button stops them until our team has spoken with you. Opening the page alone changes nothing. The link works for ${stopLinkDays} days.`,
  ].join('\n\n')}\n`;
