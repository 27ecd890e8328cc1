import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import type { MailKind } from '../core/email-cap.ts';

type MailDraft = {
  readonly memberId?: bigint;
  readonly to: { readonly name: string; readonly address: string };
  readonly kind?: MailKind | undefined;
  readonly subject: string;
  readonly text: string;
};

export type ClaimedMail = {
  id: bigint;
  to_name: string;
  to_address: string;
  kind: MailKind | null;
  subject: string;
  text: string;
  tries: number;
  deferrals: number;
  created_at: Date;
};

type MailEnd = 'sent' | 'logged' | 'failed' | 'capped';
export type MailRow = Omit<ClaimedMail, 'tries' | 'deferrals' | 'kind'> & { state: 'waiting' | MailEnd };

export async function insertMail(tx: Tx, mail: MailDraft): Promise<void> {
  await sql`
    insert into notify.mail (to_name, to_address, kind, subject, text, member_id)
    values (${mail.to.name}, ${mail.to.address}, ${mail.kind ?? null}, ${mail.subject}, ${mail.text},
            ${mail.memberId ?? null})`.execute(tx);
}

/**
 * Takes the oldest due mail for one sender until the lease ends. Senders side by side skip what another one holds; a
 * mail whose sender died is due again when its lease is over.
 */
export async function claimDueMail(db: Db, now: Date, leaseSeconds: number): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<ClaimedMail>`
    update notify.mail
    set tries = tries + 1, leased_until = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from notify.mail
      where state = 'waiting'
        and (next_try_at is null or next_try_at <= ${now}) and (leased_until is null or leased_until <= ${now})
      order by id limit 1 for update skip locked)
    returning id, to_name, to_address, kind, subject, text, tries, deferrals, created_at`.execute(db);
  return rows[0];
}

/**
 * Ends a claim for good. The text goes with it unless it is to be kept: it may carry a code; and who it went to, when it was
 * the last mail to an account that is closed.
 */
export async function finishMail(
  db: Db,
  claim: ClaimedMail,
  end: { readonly state: MailEnd; readonly keepText: boolean; readonly fault: string | null },
): Promise<void> {
  await sql`
    update notify.mail
    set state = ${end.state}, text = case when ${end.keepText}::boolean then text else '' end,
        to_name = case when is_last then '' else to_name end, to_address = case when is_last then '' else to_address end,
        last_fault = ${end.fault}, leased_until = null, next_try_at = null
    where id = ${claim.id} and tries = ${claim.tries} and state = 'waiting'`.execute(db);
}

/** Ends a claim until the next try. */
export async function postponeMail(
  db: Db,
  claim: ClaimedMail,
  wait: { readonly until: Date; readonly isDeferral: boolean; readonly fault: string },
): Promise<void> {
  await sql`
    update notify.mail
    set leased_until = null, next_try_at = ${wait.until}, last_fault = ${wait.fault},
        deferrals = deferrals + case when ${wait.isDeferral}::boolean then 1 else 0 end
    where id = ${claim.id} and tries = ${claim.tries} and state = 'waiting'`.execute(db);
}

/** A mail that nobody took although it was tried, or that has waited since before the given instant. */
export async function hasLateMail(db: Db, since: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from notify.mail
      where state = 'waiting' and deferrals = 0
        and (next_try_at is not null or created_at <= ${since})) as found`.execute(db);
  return rows[0]?.found === true;
}

/** Newest first, those below the given id. */
export async function listMailRows(db: Db, before: bigint, limit: number): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select id, to_name, to_address, subject, text, state, created_at from notify.mail
    where id < ${before}
    order by id desc limit ${limit}`.execute(db);
  return rows;
}
