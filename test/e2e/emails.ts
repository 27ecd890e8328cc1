import { expect } from 'vitest';
import type { startEmailServer } from '#server/notify/email/email-server.test-setup.ts';

type Mails = Pick<Awaited<ReturnType<typeof startEmailServer>>, 'received'>;

/** Waits for an email to this address that contains all these texts; returns the latest one, decoded. */
export async function findEmail({ received }: Mails, to: string, ...says: string[]): Promise<string> {
  const find = () =>
    received
      .filter(({ recipients }) => recipients.includes(to))
      .map(({ content }) => readable(content))
      .findLast((content) => says.every((part) => content.includes(part)));
  await expect.poll(() => find() !== undefined, { interval: 200 }).toBe(true);
  return find() as string;
}

/** The one-time password in such an email. */
export async function findCode(mails: Mails, to: string, ...says: string[]): Promise<string> {
  const code = (await findEmail(mails, to, ...says)).match(/code (?:for .+ )?is (\d{6})\./)?.[1];
  if (code === undefined) throw new Error('the mail has no code');
  return code;
}

/** Decodes quoted-printable. */
const readable = (content: string): string =>
  content
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
