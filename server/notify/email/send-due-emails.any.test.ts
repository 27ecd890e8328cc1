import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { testClock, testContext } from '#test/builders.ts';
import { closeAfterAll } from '#test/close-after-all.ts';
import { openTestDatabase } from '#test/database.ts';
import { freePort } from '#test/postgres-cluster.ts';
import { type MailTransport, openMailTransport, queueMail, sendDueMails } from '../index.ts';
import { startMailServer } from './mail-server.test-setup.ts';

const database = closeAfterAll(await openTestDatabase());
const server = await startMailServer();
afterAll(async () => {
  await server.stop();
});

const transports: MailTransport[] = [];
beforeEach(async () => {
  server.received.length = 0;
  await database.runScript('delete from notify.mail');
});
afterEach(() => {
  for (const transport of transports.splice(0)) transport.close();
});

function world(env: Record<string, string> = {}) {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const clock = testClock();
  const context: Context = { ...testContext(database, clock, env), log: pino({ level: 'trace' }, sink) };
  const transport = openMailTransport(context.config);
  if (transport !== undefined) transports.push(transport);
  return { context, clock, transport, log: () => lines.join('') };
}

const queue = (address: string, over: { name?: string; subject?: string; text?: string } = {}) => {
  const { name = 'Anna Berg', subject = 'Your code', text = 'The code is 493817.\n' } = over;
  return inTransaction(database.db, (tx) => queueMail(tx, { to: { name, address }, subject, text }));
};

const listRows = async () => {
  const { rows } = await sql<{ to_address: string; state: string; text: string; last_fault: string | null }>`
    select to_address, state, text, last_fault from notify.mail order by id`.execute(database.db);
  return rows;
};

test('a queued mail reaches its recipient once, and its text is not kept', async () => {
  const { context, transport } = world({ SMTP_URL: server.url, MAIL_FROM: 'Tradewind <no-reply@tradewind.example>' });
  await queue('anna@mail.example');
  expect(await sendDueMails(context, transport)).toMatchObject({ sent: 1, failed: 0, postponed: 0, unreachable: 0 });
  expect(await sendDueMails(context, transport)).toMatchObject({ sent: 0 });
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail?.recipients).toEqual(['anna@mail.example']);
  expect(mail?.content).toContain('From: Tradewind <no-reply@tradewind.example>');
  expect(mail?.content).toContain('To: Anna Berg <anna@mail.example>');
  expect(mail?.content).toContain('Subject: Your code');
  expect(mail?.content).toMatch(/Message-ID: <mail-\d+-\d+@tradewind\.example>/);
  expect(mail?.content).toContain('The code is 493817.');
  expect(await listRows()).toEqual([{ to_address: 'anna@mail.example', state: 'sent', text: '', last_fault: null }]);
});

test('a name with a comma, quotes or an address in it is still one recipient', async () => {
  const { context, transport } = world({ SMTP_URL: server.url });
  await queue('anna@mail.example', { name: 'Berg, Anna <evil@mail.example>, "x"' });
  await sendDueMails(context, transport);
  expect(server.received.map((mail) => mail.recipients)).toEqual([['anna@mail.example']]);
});

test('what is written into subject and text stays subject and text', async () => {
  const { context, transport } = world({ SMTP_URL: server.url });
  await queue('anna@mail.example', {
    subject: 'Grüße, Bcc: b@mail.example',
    text: 'Hello\r\n.\r\nMAIL FROM:<x@mail.example>\r\nBcc: c@mail.example\r\n',
  });
  await sendDueMails(context, transport);
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.recipients).toEqual(['anna@mail.example']);
  const [head = ''] = (server.received[0]?.content ?? '').split('\r\n\r\n');
  expect(head).not.toMatch(/^Bcc:/im);
});

test('a hundred mails and three senders: each goes out once', async () => {
  const { context, transport } = world({ SMTP_URL: server.url });
  await inTransaction(database.db, async (tx) => {
    for (let index = 0; index < 100; index += 1) {
      await queueMail(tx, { to: { name: 'M', address: `m${index}@mail.example` }, subject: 's', text: 't' });
    }
  });
  const runs = await Promise.all([1, 2, 3].map(() => sendDueMails(context, transport)));
  expect(runs.reduce((sum, run) => sum + run.sent, 0)).toBe(100);
  expect(new Set(server.received.map((mail) => mail.recipients[0])).size).toBe(100);
  expect(server.received).toHaveLength(100);
});

test('with the mail server down mails wait, and go when it is back', async () => {
  const port = await freePort();
  const { context, clock, transport } = world({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await queue('anna@mail.example');
  await queue('bert@mail.example');
  const down = await sendDueMails(context, transport);
  expect(down.unreachable).toBeGreaterThan(0);
  expect(down.sent).toBe(0);
  expect((await listRows()).map((row) => row.state)).toEqual(['waiting', 'waiting']);
  expect((await listRows())[0]?.text).toContain('493817');

  const back = await startMailServer(port);
  clock.advance(61);
  expect(await sendDueMails(context, transport)).toMatchObject({ sent: 2, unreachable: 0 });
  expect(back.received.flatMap((mail) => mail.recipients).sort()).toEqual(['anna@mail.example', 'bert@mail.example']);
  for (const open of transports.splice(0)) open.close();
  await back.stop();
});

test('days without a server lose nothing', async () => {
  const port = await freePort();
  const { context, clock, transport } = world({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await queue('anna@mail.example');
  for (let round = 0; round < 100; round += 1) {
    await sendDueMails(context, transport);
    clock.advance(3600);
  }
  expect((await listRows()).map((row) => row.state)).toEqual(['waiting']);
});

test('a mail the server refuses for good is given up; the others are not held up by it', async () => {
  const { context, transport, log } = world({ SMTP_URL: server.url });
  await queue('nobody@reject.example');
  await queue('anna@mail.example');
  expect(await sendDueMails(context, transport)).toMatchObject({ sent: 1, failed: 1 });
  expect(await listRows()).toEqual([
    {
      to_address: 'nobody@reject.example',
      state: 'failed',
      text: 'The code is 493817.\n',
      last_fault: 'EENVELOPE 550',
    },
    { to_address: 'anna@mail.example', state: 'sent', text: '', last_fault: null },
  ]);
  expect(log()).toContain('mail given up');
  expect(log()).not.toContain('493817');
  expect(log()).not.toContain('nobody@reject.example');
});

test('a mail the server puts off is tried again, later and later, and given up in the end', async () => {
  const { context, clock, transport } = world({ SMTP_URL: server.url });
  await queue('anna@later.example');
  expect(await sendDueMails(context, transport)).toMatchObject({ postponed: 1 });
  clock.advance(29);
  expect(await sendDueMails(context, transport)).toMatchObject({ postponed: 0 });
  clock.advance(1);
  expect(await sendDueMails(context, transport)).toMatchObject({ postponed: 1 });
  clock.advance(59);
  expect(await sendDueMails(context, transport)).toMatchObject({ postponed: 0 });
  let failed = 0;
  for (let round = 0; round < 78; round += 1) {
    clock.advance(3600);
    ({ failed } = await sendDueMails(context, transport));
  }
  expect(failed).toBe(1);
  expect((await listRows())[0]?.last_fault).toBe('EENVELOPE 451');
});

test('the mail of a sender that died is sent by another one when its lease is over, and the dead one marks nothing', async () => {
  const { context, clock, transport } = world({ SMTP_URL: server.url });
  await queue('anna@mail.example');
  const late = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const dying: MailTransport = {
    send: () => {
      begun.resolve();
      return late.promise;
    },
    close: () => {},
  };
  const first = sendDueMails(context, dying);
  await begun.promise;
  clock.advance(119);
  expect(await sendDueMails(context, transport)).toMatchObject({ sent: 0 });
  clock.advance(1);
  expect(await sendDueMails(context, transport)).toMatchObject({ sent: 1 });
  late.reject(new Error('connection lost'));
  await first;
  expect((await listRows()).map((row) => row.state)).toEqual(['sent']);
  expect(server.received).toHaveLength(1);
});

test('without a mail server the log names a mail without its text, which stays readable in paper mode', async () => {
  const { context, transport, log } = world();
  expect(transport).toBeUndefined();
  await queue('anna@mail.example');
  expect(await sendDueMails(context, transport)).toMatchObject({ logged: 1, sent: 0 });
  expect(await listRows()).toEqual([
    { to_address: 'anna@mail.example', state: 'logged', text: 'The code is 493817.\n', last_fault: null },
  ]);
  expect(log()).toMatch(/"mailId":"\d+"/);
  expect(log()).not.toContain('493817');
});

test('in other modes the text is not kept without a mail server either', async () => {
  const { context, transport } = world({ MODE: 'staging' });
  await queue('anna@mail.example');
  await sendDueMails(context, transport);
  expect((await listRows())[0]).toMatchObject({ state: 'logged', text: '' });
});
