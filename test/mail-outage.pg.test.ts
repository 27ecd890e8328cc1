import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestReset } from '#server/accounts/passwords/reset-password.ts';
import { createApp } from '#server/app.ts';
import type { Context } from '#server/context.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import type { Http } from '#server/http/server.ts';
import { startJobs } from '#server/jobs/index.ts';
import { startEmailServer } from '#server/notify/email/email-server.test-setup.ts';
import { isEmailDelayed } from '#server/notify/index.ts';
import { freePort } from '#test/database/postgres-cluster.ts';
import { bootTest } from '#test/kit/boot.ts';
import { recordMarket, still } from '#test/recorded/recorded-market.ts';
import { askOf, patient } from '#test/worlds/app.ts';
import { signUp } from '#test/worlds/members.ts';

const ADDRESS = { network: 'TRC20', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };

const recording = recordMarket({
  from: '2026-03-04T12:00:00Z',
  minutes: 60,
  candle: () => still('100'),
  symbols: ['btc'],
});
let world: Awaited<ReturnType<typeof bootTest>>;
let port: number;
let http: Http;
let stopJobs: () => Promise<void>;

beforeAll(async () => {
  port = await freePort();
  world = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: '2026-03-04T12:20:00Z',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
  });
  // The database dates emails.
  world.clock.set(new Date());
  const databaseUrl = world.database.pool?.options.connectionString;
  const context: Context = { ...world.context, config: { ...world.context.config, databaseUrl } };
  http = await createApp(context, patient);
  stopJobs = await startJobs(context, world.database);
});
afterAll(async () => {
  await http.fastify.close();
  await stopJobs();
  await world.database.close();
  recording.remove();
});

const call = (method: 'GET' | 'PUT', path: string, token: string, body?: object) =>
  askOf(http.fastify)(method, path, { token, body });

const askForCode = async (token: string) => {
  const reply = await call('GET', `auth/send-otp?purpose=address&${new URLSearchParams(ADDRESS)}`, token);
  expect(reply.status).toBe(200);
  return reply.body.data as { sent_to: string; delayed: boolean };
};

const codesIn =
  ({ received }: Awaited<ReturnType<typeof startEmailServer>>) =>
  (recipient: string) => {
    const mail = received.find(
      ({ recipients, content }) => recipients.includes(recipient) && content.includes('The code is '),
    );
    return /The code is (\d{6})\./.exec(mail?.content ?? '')?.[1];
  };

test('without the email server codes are announced as delayed; once it is back they arrive and work', async () => {
  const first = await signUp(world.context, { email: 'mira@mail.example' });
  await askForCode(first.token);
  await expect.poll(() => isEmailDelayed(world.context.db, world.clock.now())).toBe(true);
  const second = await signUp(world.context, { email: 'noor@mail.example' });
  expect(await askForCode(second.token)).toMatchObject({ sent_to: 'n•••@mail.example', delayed: true });

  const mailServer = await startEmailServer(port);
  try {
    world.clock.advance(60);
    const codeOf = codesIn(mailServer);
    for (const [{ token }, recipient] of [
      [first, 'mira@mail.example'],
      [second, 'noor@mail.example'],
    ] as const) {
      await expect.poll(() => codeOf(recipient)).toMatch(/^\d{6}$/);
      const saved = await call('PUT', 'auth/update-address', token, { ...ADDRESS, otp: codeOf(recipient) });
      expect(saved.status).toBe(200);
    }
  } finally {
    await mailServer.stop();
  }
}, 60_000);

test('a member whose row another session holds delays nobody else’s emails', async () => {
  const held = await signUp(world.context, { email: 'lena@mail.example' });
  const other = await signUp(world.context, { email: 'omar@mail.example' });
  const mailServer = await startEmailServer(port);
  try {
    await inTransaction(world.database.jobs, async (tx) => {
      await sql`select 1 from identity.member where id = ${held.memberId} for update`.execute(tx);
      await requestReset(world.context, { loginId: held.referralCode, address: '127.0.0.1' });
      const waiting = () => getValue(world.context.db)<number>`
        select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(waiting).toBe(1);
      await askForCode(other.token);
      await expect.poll(() => codesIn(mailServer)('omar@mail.example')).toMatch(/^\d{6}$/);
    });
    const isAnswered = () =>
      mailServer.received.some(
        ({ recipients, content }) => recipients.includes('lena@mail.example') && /reset/i.test(content),
      );
    await expect.poll(isAnswered).toBe(true);
  } finally {
    await mailServer.stop();
  }
}, 90_000);
