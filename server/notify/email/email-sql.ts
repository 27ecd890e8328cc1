import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, listRows } from '#server/db/rows.ts';

type EmailDraft = {
  readonly memberId?: bigint;
  readonly to: { readonly name: string; readonly address: string };
  readonly kind?: EmailKind | undefined;
  readonly subject: string;
  readonly text: string;
};

export type ClaimedEmail = {
  id: bigint;
  to_name: string;
  to_address: string;
  kind: EmailKind | null;
  subject: string;
  text: string;
  tries: number;
  deferrals: number;
  created_at: Date;
  member_id: bigint | null;
};

type EmailEnd = 'sent' | 'logged' | 'failed' | 'capped';
export type EmailRow = Omit<ClaimedEmail, 'tries' | 'deferrals' | 'kind' | 'member_id'> & {
  state: 'waiting' | EmailEnd;
};

export const insertEmail = (tx: Tx, mail: EmailDraft) =>
  execute(tx)`
    insert into notify.mail (to_name, to_address, kind, subject, text, member_id)
    values (${mail.to.name}, ${mail.to.address}, ${mail.kind ?? null}, ${mail.subject}, ${mail.text},
            ${mail.memberId ?? null})`;

/**
 * Takes the oldest due email for one sender until the lease ends. Senders side by side skip what another one holds; a
 * email whose sender died is due again when its lease is over.
 */
export const claimDueEmail = (db: Db, now: Date, leaseSeconds: number) =>
  findRow(db)<ClaimedEmail>`
    update notify.mail
    set tries = tries + 1, leased_until = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from notify.mail
      where state = 'waiting'
        and (next_try_at is null or next_try_at <= ${now}) and (leased_until is null or leased_until <= ${now})
      order by id limit 1 for update skip locked)
    returning id, to_name, to_address, kind, subject, text, tries, deferrals, created_at, member_id`;

/**
 * Ends a claim for good. The text goes with it unless it is to be kept: it may carry a code; and who it went to, when it was
 * the last email to an account that is closed.
 */
export const finishEmail = (
  db: Db,
  claim: ClaimedEmail,
  end: { readonly state: EmailEnd; readonly keepText: boolean; readonly fault: string | null },
) =>
  execute(db)`
    update notify.mail
    set state = ${end.state}, text = case when ${end.keepText}::boolean then text else '' end,
        to_name = case when is_last then '' else to_name end, to_address = case when is_last then '' else to_address end,
        last_fault = ${end.fault}, leased_until = null, next_try_at = null
    where id = ${claim.id} and tries = ${claim.tries} and state = 'waiting'`;

/** Ends a claim until the next try. */
export const postponeEmail = (
  db: Db,
  claim: ClaimedEmail,
  wait: { readonly until: Date; readonly isDeferral: boolean; readonly fault: string },
) =>
  execute(db)`
    update notify.mail
    set leased_until = null, next_try_at = ${wait.until}, last_fault = ${wait.fault},
        deferrals = deferrals + case when ${wait.isDeferral}::boolean then 1 else 0 end
    where id = ${claim.id} and tries = ${claim.tries} and state = 'waiting'`;

/** An email that nobody took although it was tried, or that has waited since before the given instant. */
export async function hasLateEmail(db: Db, since: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from notify.mail
      where state = 'waiting' and deferrals = 0
        and (next_try_at is not null or created_at <= ${since})) as found`.execute(db);
  return rows[0]?.found === true;
}

/** Newest first, those below the given id. */
export const listEmailRows = (db: Db, before: bigint, limit: number) =>
  listRows(db)<EmailRow>`
    select id, to_name, to_address, subject, text, state, created_at from notify.mail
    where id < ${before}
    order by id desc limit ${limit}`;

/** The language of whom an email is to: of the member it is about, else of whoever is reached at its address. */
export const findLanguageOf = (db: Db, { member_id: memberId, to_address: address }: ClaimedEmail) =>
  findValue(db)<string | null>`
    select language from notify.recipient
    where language is not null
      and case when ${memberId}::bigint is null then lower(address) = lower(${address}) else member_id = ${memberId} end
    limit 1`;

/**
 * What an email is to the cap of its address. `code`: a one-time password that a signed-in member asked for; `reset`: codes for a new
 * password, which anybody can ask for; `signup`: a new account; `news`: what a member can turn off. All else tells of sign-ins, addresses,
 * withdrawals and freezes, or goes to operators, and is always sent.
 */
export type EmailKind = 'code' | 'reset' | 'signup' | 'news';

/** Emails of a kind to one address and UTC day. Each kind has its own: a flood of one keeps none of the others away. */
export const mostADay: Readonly<Record<EmailKind, number>> = { code: 30, reset: 20, signup: 10, news: 50 };
