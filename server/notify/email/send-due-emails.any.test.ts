import { setImmediate } from 'node:timers/promises';
import { RawNode } from 'kysely';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { freePort } from '#test/database/postgres-cluster.ts';
import {
  type EmailTransport,
  forgetFailedTexts,
  isEmailDelayed,
  listFailedEmails,
  retryEmail,
  sendDueEmails,
  sumEmails,
} from '../index.ts';
import { startEmailServer } from './email-server.test-setup.ts';
import { EmailRejected } from './email-transport.ts';
import { CODE, openEmailWorld } from './email-world.test-setup.ts';

const { server, sender, queue, listEmails, closeTransports } = await openEmailWorld();
const SENT = { state: 'sent', text: '', last_fault: null };

test('a queued email reaches its recipient once, and its text is not kept', async () => {
  const { send } = sender({ SMTP_URL: server.url, MAIL_FROM: 'Tradewind <no-reply@tradewind.example>' });
  await queue('anna@mail.example');
  expect(await send()).toMatchObject({ sent: 1, failed: 0, postponed: 0, unreachable: 0 });
  expect(await send()).toMatchObject({ sent: 0 });
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail?.recipients).toEqual(['anna@mail.example']);
  for (const line of [
    'From: Tradewind <no-reply@tradewind.example>',
    'To: Anna Berg <anna@mail.example>',
    'Subject: Your code',
    'The code is 493817.',
  ])
    expect(mail?.content).toContain(line);
  expect(mail?.content).toMatch(/Message-ID: <mail-\d+-\d+@tradewind\.example>/);
  expect(await listEmails()).toEqual([{ to_address: 'anna@mail.example', ...SENT }]);
});

test('a name with a comma, quotes or an address in it is still one recipient', async () => {
  const { send } = sender();
  await queue('anna@mail.example', { name: 'Berg, Anna <evil@mail.example>, "x"' });
  await send();
  expect(server.received.map((mail) => mail.recipients)).toEqual([['anna@mail.example']]);
});

test('subject and text inject neither headers nor SMTP commands', async () => {
  const { send } = sender();
  await queue('anna@mail.example', {
    subject: 'Grüße, Bcc: b@mail.example',
    text: 'Hello\r\n.\r\nMAIL FROM:<x@mail.example>\r\nBcc: c@mail.example\r\n',
  });
  await send();
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.recipients).toEqual(['anna@mail.example']);
  const [head = ''] = (server.received[0]?.content ?? '').split('\r\n\r\n');
  expect(head).not.toMatch(/^Bcc:/im);
});

test('a hundred emails and three senders: each is sent once', async () => {
  const { send } = sender();
  for (let index = 0; index < 100; index += 1) await queue(`m${index}@mail.example`);
  const runs = await Promise.all([1, 2, 3].map(send));
  expect(runs.reduce((sum, run) => sum + run.sent, 0)).toBe(100);
  expect(new Set(server.received.map((mail) => mail.recipients[0])).size).toBe(100);
  expect(server.received).toHaveLength(100);
});

test('one that cannot be marked ends the run only after the others', async () => {
  const { context } = sender();
  for (const name of ['broken', 'other']) await queue(`${name}@mail.example`);
  const broken = Promise.withResolvers<void>();
  const db = context.db.withPlugin({
    transformQuery: ({ node }) => {
      if (!RawNode.is(node) || !node.sqlFragments.some((part) => part.includes('is_last then'))) return node;
      broken.resolve();
      throw new Error('not marked');
    },
    transformResult: async ({ result }) => result,
  });
  let hasEnded = false;
  let endedBefore: boolean | undefined;
  const send: EmailTransport['send'] = async ({ to }) => {
    if (to.address.startsWith('broken')) return;
    await broken.promise;
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    endedBefore = hasEnded;
  };
  const run = sendDueEmails({ ...context, db }, { send, close: () => {} }).finally(() => {
    hasEnded = true;
  });
  await expect(run).rejects.toThrow('Parts that failed: 2');
  expect(endedBefore).toBe(false);
});

test('one that cannot be marked ends the run after the emails being sent: the next run has all workers again', async () => {
  const { context } = sender();
  for (let n = 0; n < 12; n += 1) await queue(`${n === 0 ? 'broken' : n}@mail.example`);
  const failed = Promise.withResolvers<void>();
  let failing: object | undefined;
  const db = context.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (!RawNode.is(node) || !node.sqlFragments.some((part) => part.includes('is_last then'))) return node;
      failing ??= queryId;
      failed.resolve();
      if (failing === queryId) throw new Error('not marked');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const sent: string[] = [];
  const send: EmailTransport['send'] = async ({ to }) => {
    sent.push(to.address);
    if (!to.address.startsWith('broken')) await failed.promise;
  };
  await expect(sendDueEmails({ ...context, db }, { send, close: () => {} })).rejects.toThrow('not marked');
  expect(sent).toHaveLength(4);
});

test('with the email server down emails wait, and are sent when it is back', async () => {
  const port = await freePort();
  const { send, clock } = sender({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await queue('anna@mail.example');
  await queue('bert@mail.example');
  const down = await send();
  expect(down.unreachable).toBeGreaterThan(0);
  expect(down.sent).toBe(0);
  expect((await listEmails()).map((row) => row.state)).toEqual(['waiting', 'waiting']);
  expect((await listEmails())[0]?.text).toContain('493817');

  const back = await startEmailServer(port);
  clock.advance(61);
  expect(await send()).toMatchObject({ sent: 2, unreachable: 0 });
  expect(back.received.flatMap((mail) => mail.recipients).sort()).toEqual(['anna@mail.example', 'bert@mail.example']);
  closeTransports();
  await back.stop();
});

test('days without a server lose no email', async () => {
  const port = await freePort();
  const { send, clock } = sender({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await queue('anna@mail.example');
  for (let round = 0; round < 100; round += 1) {
    await send();
    clock.advance(3600);
  }
  expect((await listEmails()).map((row) => row.state)).toEqual(['waiting']);
});

test('an email the server refuses permanently fails; it does not hold up the others', async () => {
  const { send, log } = sender();
  await queue('nobody@reject.example');
  await queue('anna@mail.example');
  expect(await send()).toMatchObject({ sent: 1, failed: 1 });
  expect(await listEmails()).toEqual([
    {
      to_address: 'nobody@reject.example',
      state: 'failed',
      text: CODE,
      last_fault: 'EENVELOPE 550',
    },
    { to_address: 'anna@mail.example', ...SENT },
  ]);
  expect(log()).toContain('email failed permanently');
  expect(log()).not.toContain('493817');
  expect(log()).not.toContain('nobody@reject.example');
});

test('a sender address that the server refuses keeps the emails queued, until it is corrected', async () => {
  const from = (domain: string) => sender({ SMTP_URL: server.url, MAIL_FROM: `Tradewind <no-reply@${domain}>` });
  await queue('anna@mail.example');
  const { send, context } = from('refused.example');
  expect(await send()).toMatchObject({ unreachable: 1, failed: 0 });
  expect((await listEmails())[0]).toMatchObject({ state: 'waiting', text: CODE, last_fault: 'EENVELOPE 550' });
  expect(await isEmailDelayed(context.db, context.now())).toBe(true);
  const mended = from('mail.example');
  mended.clock.advance(5);
  expect(await mended.send()).toMatchObject({ sent: 1 });
});

test('an email the server defers is retried at growing intervals, and fails permanently in the end', async () => {
  const { send, clock } = sender();
  await queue('anna@later.example');
  expect(await send()).toMatchObject({ postponed: 1 });
  clock.advance(29);
  expect(await send()).toMatchObject({ postponed: 0 });
  clock.advance(1);
  expect(await send()).toMatchObject({ postponed: 1 });
  clock.advance(59);
  expect(await send()).toMatchObject({ postponed: 0 });
  let failed = 0;
  for (let round = 0; round < 78; round += 1) {
    clock.advance(3600);
    ({ failed } = await send());
  }
  expect(failed).toBe(1);
  expect((await listEmails())[0]?.last_fault).toBe('EENVELOPE 451');
});

test('one that failed after days of deferrals can be retried for three days more', async () => {
  const { context, clock, send } = sender(undefined, new Date().toISOString());
  await queue('anna@later.example');
  for (let failed = 0; failed === 0; clock.advance(3600)) ({ failed } = await send());
  const count = async () => [
    (await listFailedEmails(context, { limit: 10 })).items.length,
    Number((await sumEmails(context)).failed),
  ];
  clock.advance(71 * 3600 - 3600);
  await forgetFailedTexts(context);
  expect(await count()).toEqual([1, 1]);
  const [kept] = (await listFailedEmails(context, { limit: 10 })).items;
  await inTransaction(context.db, (tx) => retryEmail(tx, kept?.id ?? 0n));
  expect(await listEmails()).toMatchObject([{ state: 'waiting', text: CODE }]);
  for (let failed = 0; failed === 0; clock.advance(3600)) ({ failed } = await send());
  clock.advance(72 * 3600);
  await forgetFailedTexts(context);
  expect(await count()).toEqual([0, 0]);
  expect(await listEmails()).toMatchObject([{ state: 'failed', text: '' }]);
});

test('after its lease another worker sends the email of a dead one, which then marks nothing', async () => {
  const { context, send, clock } = sender();
  await queue('anna@mail.example');
  const late = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const dying: EmailTransport = {
    send: () => {
      begun.resolve();
      return late.promise;
    },
    close: () => {},
  };
  const first = sendDueEmails(context, dying);
  await begun.promise;
  clock.advance(119);
  expect(await send()).toMatchObject({ sent: 0 });
  clock.advance(1);
  expect(await send()).toMatchObject({ sent: 1 });
  late.reject(new Error('connection lost'));
  await first;
  expect((await listEmails()).map((row) => row.state)).toEqual(['sent']);
  expect(server.received).toHaveLength(1);
});

test.each([
  ['not reached its server', new Error('connection lost')],
  ['been refused', new EmailRejected('refused', { cause: { code: 'EENVELOPE', responseCode: 550 } })],
])('a worker that was late and has %s changes nothing while another sends the email', async (_, fault) => {
  const { context, clock } = sender();
  await queue('anna@mail.example');
  const tries = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let begun = 0;
  const slow: EmailTransport = { send: () => tries[begun++]?.promise ?? Promise.resolve(), close: () => {} };
  const late = sendDueEmails(context, slow);
  await expect.poll(() => begun).toBe(1);
  clock.advance(120);
  const other = sendDueEmails(context, slow);
  await expect.poll(() => begun).toBe(2);
  tries[0].reject(fault);
  await late;
  expect(await listEmails()).toMatchObject([{ state: 'waiting', text: CODE }]);
  clock.advance(60);
  await sendDueEmails(context, slow);
  tries[1].resolve();
  await other;
  expect([begun, (await listEmails()).map((row) => row.state)]).toEqual([2, ['sent']]);
});

test('without an email server the log names an email without its text, which stays readable', async () => {
  const { send, transport, log } = sender({});
  expect(transport).toBeUndefined();
  await queue('anna@mail.example');
  expect(await send()).toMatchObject({ logged: 1, sent: 0 });
  expect(await listEmails()).toEqual([
    { to_address: 'anna@mail.example', state: 'logged', text: CODE, last_fault: null },
  ]);
  expect(log()).toMatch(/"mailId":"\d+"/);
  expect(log()).not.toContain('493817');
});
