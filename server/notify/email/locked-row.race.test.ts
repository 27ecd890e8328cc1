import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { holdOpen } from '#test/database/hold-open.ts';
import { sendDueEmails } from '../index.ts';
import { openEmailWorld } from './email-world.test-setup.ts';

const { database, sender, queue, listEmails } = await openEmailWorld();

test('an email whose row another session holds between sending and marking delays none that is queued meanwhile', async () => {
  const { context } = sender({});
  const sent: string[] = [];
  const isHeld = Promise.withResolvers<void>();
  let release: (() => Promise<void>) | undefined;
  onTestFinished(() => release?.());
  const send = async ({ to }: { to: { address: string } }) => {
    sent.push(to.address);
    if (to.address !== 'anna@mail.example') return;
    release = await holdOpen(database.jobs, (tx) => sql`select 1 from notify.mail for update`.execute(tx));
    isHeld.resolve();
  };
  await queue('anna@mail.example');
  const round = sendDueEmails(context, { send, close: () => {} });
  await isHeld.promise;
  await queue('ben@mail.example');
  await expect.poll(() => sent).toContain('ben@mail.example');
  await release?.();
  expect(await round).toMatchObject({ sent: 2 });
  expect(sent).toEqual(['anna@mail.example', 'ben@mail.example']);
  expect((await listEmails()).map(({ state }) => state)).toEqual(['sent', 'sent']);
});

test('an email whose row another session holds delays none behind it', async () => {
  const { context } = sender({});
  await database.runScript('delete from notify.mail');
  await queue('anna@mail.example');
  const release = await holdOpen(database.jobs, (tx) => sql`select 1 from notify.mail for update`.execute(tx));
  onTestFinished(release);
  await queue('ben@mail.example');
  expect(await sendDueEmails(context, undefined)).toMatchObject({ logged: 1 });
  expect((await listEmails()).map(({ state }) => state)).toEqual(['waiting', 'logged']);
});
