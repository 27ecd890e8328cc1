import type { NodemailerError } from 'nodemailer';
import type { Config } from '#server/config.ts';

export type OutgoingEmail = {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  /** The same for every try of one email, so that a receiver who got it twice can tell. */
  readonly messageId: string;
  readonly writtenAt: Date;
};

/** What carries emails away. `send` resolves once the server has taken the email over. */
export type EmailTransport = {
  readonly send: (mail: OutgoingEmail) => Promise<void>;
  readonly close: () => void;
};

/** The email server rejected this email permanently. */
export class EmailRejected extends Error {}

/** An email must not hold its lease longer than this (send-due-emails.ts). */
export const sendTimeoutMs = 60_000;
const ROUND_TRIP_MS = 15_000;
export const emailWorkers = 4;

/** A connection pool to the server of `SMTP_URL`; undefined if not configured. */
export function openEmailTransport(config: Config): EmailTransport | undefined {
  const { smtpUrl } = config;
  if (smtpUrl === undefined) return undefined;
  let pool: ReturnType<typeof openPool> | undefined;
  return {
    send: async (mail) => {
      pool ??= openPool(smtpUrl);
      const transport = await pool;
      try {
        await transport.sendMail({
          from: config.mailFrom,
          // An object, because a string with a comma would be parsed as two recipients.
          to: { name: mail.to.name, address: mail.to.address },
          subject: mail.subject,
          text: mail.text,
          messageId: mail.messageId,
          date: mail.writtenAt,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(sendTimeoutMs),
        });
      } catch (error) {
        throw isFinal(error) ? new EmailRejected('the email server rejected this email', { cause: error }) : error;
      }
    },
    close: () => void pool?.then((transport) => transport.close()),
  };
}

/** Loaded at the first email, because processes that only serve requests send none. */
async function openPool(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    maxConnections: emailWorkers,
    // The pool would resend emails that may have arrived already; the outbox decides about retries.
    maxRequeues: 0,
    connectionTimeout: ROUND_TRIP_MS,
    greetingTimeout: ROUND_TRIP_MS,
    dnsTimeout: ROUND_TRIP_MS,
    socketTimeout: ROUND_TRIP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Refused by nodemailer itself, as for an email without an address. */
const NOT_SENT = 'API';

/** Such an email, and 5xx for the email itself. A failed sign-in at the server is also 5xx, but ends once the password is corrected. */
function isFinal(error: unknown): boolean {
  const { command, responseCode = 0 } = error as NodemailerError;
  return (command === NOT_SENT || responseCode >= 500) && isAboutEmail(error);
}

/** Whether the fault concerns this email only. A rejected or rate-limited sender affects all emails. */
export function isAboutEmail(error: unknown): boolean {
  const { code, command, responseCode } = error as NodemailerError;
  if (responseCode === undefined && command !== NOT_SENT) return false;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
}
