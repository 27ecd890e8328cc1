import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { type EmailTransport, openEmailTransport, queueEmail, sendDueEmails } from '../index.ts';
import type { EmailKind } from '../queue-notices.ts';
import { startEmailServer } from './email-server.test-setup.ts';

type Mail = { name?: string; subject?: string; text?: string; kind?: EmailKind };

/** An email server, and an outbox that is empty at the start of each test, for the top of a test file. */
export async function openEmailWorld() {
  const database = closeAfterAll(await openTestDatabase());
  const server = await startEmailServer();
  closeAfterAll({ close: server.stop });
  const transports: EmailTransport[] = [];
  const closeTransports = () => {
    for (const transport of transports.splice(0)) transport.close();
  };
  beforeEach(async () => {
    server.received.length = 0;
    await database.runScript('delete from notify.mail');
  });
  afterEach(closeTransports);

  /** A sender with its own clock; it uses the server, unless `env` names another or none. */
  const sender = (env: Record<string, string> = { SMTP_URL: server.url }, start?: string) => {
    const lines: string[] = [];
    const sink = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    const clock = testClock(start);
    const context: Context = { ...testContext(database, clock, env), log: pino({ level: 'trace' }, sink) };
    const transport = openEmailTransport(context.config);
    if (transport !== undefined) transports.push(transport);
    return { context, clock, transport, send: () => sendDueEmails(context, transport), log: () => lines.join('') };
  };

  return {
    database,
    server,
    sender,
    closeTransports,
    queue: (address: string, { name = 'Anna Berg', subject = 'Your code', text = CODE, ...more }: Mail = {}) =>
      inTransaction(database.db, (tx) => queueEmail(tx, { to: { name, address }, subject, text, ...more })),
    listEmails: async () => {
      const { rows } = await sql<{ to_address: string; state: string; text: string; last_fault: string | null }>`
        select to_address, state, text, last_fault from notify.mail order by id`.execute(database.db);
      return rows;
    },
  };
}

export const CODE = 'The code is 493817.\n';
