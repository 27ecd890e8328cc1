import { setTimeout } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, hasRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Faults } from '#server/faults.ts';
import { listLanguages } from '#server/languages.ts';
import { inSpan } from '#server/telemetry/spans.ts';
import { translateEmail } from '../core/translate-email.ts';
import { type EmailKind, maxPerDay } from '../queue-notices.ts';
import { EmailRejected, type EmailTransport, emailWorkers, isAboutEmail, sendTimeoutMs } from './email-transport.ts';

/** Longer than the longest attempt, so that two live senders never hold the same email. */
const LEASE_SECONDS = (2 * sendTimeoutMs) / 1000;

/**
 * Results of a run. `capped`: daily limit of the address; `postponed`: deferred by the server; `unreachable`: no
 * server.
 */
export type EmailRun = Record<'sent' | 'logged' | 'failed' | 'capped' | 'postponed' | 'unreachable', number>;

/**
 * Sends the due emails of the outbox; a job calls it repeatedly. Each email is claimed, sent outside any transaction,
 * then marked, so it is sent once. Only if a sender dies between the server's acceptance and the mark, it is sent
 * again, with the same Message-ID; SMTP offers nothing better.
 *
 * Without a transport (no `SMTP_URL`, in paper mode only) an email is marked `logged`: the log names it without its
 * text, which operators can read.
 */
export async function sendDueEmails(context: Context, transport: EmailTransport | undefined): Promise<EmailRun> {
  const run: EmailRun = { sent: 0, logged: 0, failed: 0, capped: 0, postponed: 0, unreachable: 0 };
  const faults = new Faults();
  const working = new Set<Promise<unknown>>();
  const worker = () => faults.keep(() => sendInTurn(context, transport, run, { faults, working }));
  await Promise.all(Array.from({ length: emailWorkers }, worker));
  faults.throwAny();
  return run;
}

/** An idle worker looks again for what was queued while another waits, for the email server or for a held row. */
const LOOK_AGAIN_MS = 200;

/** One worker: sends emails until none is due and no other works, a worker failed, or one finds the server unreachable. */
async function sendInTurn(
  context: Context,
  transport: EmailTransport | undefined,
  run: EmailRun,
  { faults, working }: { readonly faults: Faults; readonly working: Set<Promise<unknown>> },
): Promise<void> {
  while (run.unreachable === 0 && faults.last === undefined) {
    const mail = await claimDueEmail(context.db, context.now(), LEASE_SECONDS);
    if (mail === undefined) {
      if (working.size === 0) return;
      await Promise.race([setTimeout(LOOK_AGAIN_MS, undefined, { ref: false }), ...working]).catch(() => {});
      continue;
    }
    const sending = transport === undefined ? logEmail(context, mail) : sendMail(context, transport, mail);
    working.add(sending);
    try {
      run[await sending] += 1;
    } finally {
      working.delete(sending);
    }
  }
}

async function logEmail(context: Context, mail: ClaimedEmail): Promise<'logged'> {
  await finishEmail(context.db, mail, { state: 'logged', keepText: true, fault: null });
  context.log.info({ mailId: mail.id.toString() }, 'no email server configured: email kept in the outbox');
  return 'logged';
}

async function sendMail(context: Context, transport: EmailTransport, mail: ClaimedEmail): Promise<keyof EmailRun> {
  if (!(await isBelowCap(context, mail))) {
    await finishEmail(context.db, mail, { state: 'capped', keepText: false, fault: null });
    return 'capped';
  }
  const { subject, text } = await inTheirLanguage(context, mail);
  try {
    const message = {
      to: { name: mail.to_name, address: mail.to_address },
      subject,
      text,
      messageId: `<mail-${mail.id}-${mail.created_at.getTime()}@${domainOf(context.config.mailFrom)}>`,
      writtenAt: mail.created_at,
    };
    await inSpan({ name: 'send email', kind: 'client', attributes: {} }, () => transport.send(message));
  } catch (error) {
    return recordFault(context, mail, error);
  }
  await finishEmail(context.db, mail, { state: 'sent', keepText: false, fault: null });
  return 'sent';
}

async function inTheirLanguage({ db, config }: Context, mail: ClaimedEmail): Promise<ClaimedEmail> {
  const languages = listLanguages(config.webDir);
  if (languages.size === 1) return mail;
  const texts = languages.get((await findLanguageOf(db, mail)) ?? 'en');
  return texts === undefined ? mail : translateEmail(mail, texts);
}

/** A fault of the email itself ends it; a transport fault postpones it. Both are logged, without the email. */
async function recordFault(context: Context, mail: ClaimedEmail, error: unknown): Promise<keyof EmailRun> {
  const cause = error instanceof EmailRejected ? error.cause : error;
  const { code, responseCode } = cause as SmtpFault;
  // Codes only: a server's message may quote the address or the text.
  const fault = [code ?? 'unknown', responseCode].filter((part) => part !== undefined).join(' ');
  const line = { mailId: mail.id.toString(), tries: mail.tries, fault };
  const isDeferral = isAboutEmail(cause);
  if (error instanceof EmailRejected || (isDeferral && mail.deferrals + 1 >= maxDeferrals)) {
    context.log.warn(line, 'email failed permanently');
    // The text is kept for a while, so that an operator can retry it (outbox.ts).
    await finishEmail(context.db, mail, { state: 'failed', keepText: true, fault, failedAt: context.now() });
    return 'failed';
  }
  context.log.warn(line, 'email postponed');
  const seconds = isDeferral ? deferralSeconds(mail.deferrals + 1) : awaySeconds(mail.tries);
  await postponeEmail(context.db, mail, {
    until: new Date(context.now().getTime() + seconds * 1000),
    isDeferral,
    fault,
  });
  return isDeferral ? 'postponed' : 'unreachable';
}

type SmtpFault = { readonly code?: string; readonly responseCode?: number };

const domainOf = (from: string) => /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? 'localhost';

const FIRST_SECONDS = 30;
const MAX_SECONDS = 3600;
const MAX_BACK_OFF_SECONDS = 60;

/** About three days of deferrals: a server that has not accepted an email by then never will. */
const maxDeferrals = 80;

/**
 * Seconds to wait after the given number of consecutive deferrals (greylisting, a full mailbox), doubling from half a
 * minute to one hour. `deferralSeconds(1) === 30`, `deferralSeconds(3) === 120`, `deferralSeconds(20) === 3600`
 */
export function deferralSeconds(deferrals: number): number {
  return Math.min(MAX_SECONDS, FIRST_SECONDS * 2 ** Math.min(deferrals - 1, 10));
}

/**
 * Seconds to wait after the given number of tries that did not reach the server. At most a minute, so that codes, which
 * are valid for ten minutes, still arrive in time. `awaySeconds(1) === 5`, `awaySeconds(9) === 60`
 */
export function awaySeconds(tries: number): number {
  return Math.min(MAX_BACK_OFF_SECONDS, 5 * 2 ** Math.min(tries - 1, 10));
}

/** Whether an email is within the daily limit of its address. Counts it, once for all its attempts. */
function isBelowCap(context: Context, { id, to_address: address, kind }: ClaimedEmail): Promise<boolean> {
  if (kind === null) return Promise.resolve(true);
  const counted = { id, address, kind, day: context.now().toISOString().slice(0, 10) };
  return inTransaction(context.db, async (tx) => {
    await lockCount(tx, counted);
    return countEmail(tx, counted, maxPerDay[kind]);
  });
}

type Counted = { readonly id: bigint; readonly address: string; readonly kind: EmailKind; readonly day: string };

/** Serializes the counting of emails of this kind to this address. */
const lockCount = (tx: Tx, { address, kind }: Counted) =>
  execute(tx)`
    select pg_advisory_xact_lock(hashtextextended('notify.mail_cap/' || ${kind} || '/' || lower(${address}), 0))`;

/** Counts an email once for all its attempts; false if `most` others were counted before on that day. */
const countEmail = (tx: Tx, mail: Counted, most: number) =>
  hasRow(tx)`
    update notify.mail m set counted_on = coalesce(m.counted_on, ${mail.day}::date)
    where m.id = ${mail.id} and (m.counted_on is not null or ${most}::int > (
      select count(*) from notify.mail o
      where lower(o.to_address) = lower(${mail.address}) and o.kind = ${mail.kind} and o.counted_on = ${mail.day}::date))
    returning 1`;

type ClaimedEmail = {
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
/**
 * Claims the oldest due email until the lease ends. Concurrent senders skip claimed ones; an email whose sender died is
 * due again after its lease.
 */
const claimDueEmail = (db: Db, now: Date, leaseSeconds: number) =>
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
 * Completes a claim. Deletes the text, which may contain a code, unless `keepText`; and the recipient, if it was the
 * last email to a closed account: that one cannot be retried.
 */
const finishEmail = (
  db: Db,
  claim: ClaimedEmail,
  end: {
    readonly state: EmailEnd;
    readonly keepText: boolean;
    readonly fault: string | null;
    readonly failedAt?: Date;
  },
) =>
  execute(db)`
    update notify.mail
    set state = ${end.state}, text = case when ${end.keepText}::boolean then text else '' end,
        to_name = case when is_last then '' else to_name end, to_address = case when is_last then '' else to_address end,
        failed_at = case when is_last and ${end.failedAt !== undefined}::boolean then '-infinity'
                         else ${end.failedAt ?? null}::timestamptz end,
        last_fault = ${end.fault}, leased_until = null, next_try_at = null
    where id = ${claim.id} and tries = ${claim.tries}`;

/** Releases a claim until the next attempt. */
const postponeEmail = (
  db: Db,
  claim: ClaimedEmail,
  wait: { readonly until: Date; readonly isDeferral: boolean; readonly fault: string },
) =>
  execute(db)`
    update notify.mail
    set leased_until = null, next_try_at = ${wait.until}, last_fault = ${wait.fault},
        deferrals = deferrals + case when ${wait.isDeferral}::boolean then 1 else 0 end
    where id = ${claim.id} and tries = ${claim.tries}`;

/** The recipient's language: that of the member it is about, else of the member with its address. */
const findLanguageOf = (db: Db, { member_id: memberId, to_address: address }: ClaimedEmail) =>
  findValue(db)<string | null>`
    select language from notify.recipient
    where language is not null
      and case when ${memberId}::bigint is null then lower(address) = lower(${address}) else member_id = ${memberId} end
    limit 1`;
