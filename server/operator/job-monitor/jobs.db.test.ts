import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { JobBoard } from '#server/jobs/board.ts';
import { EmailRejected } from '#server/notify/email/email-transport.ts';
import { forgetFailedTexts, forgetMember, queueEmail, sendDueEmails } from '#server/notify/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal } from '#test/worlds/app.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';

let outcome: () => Promise<unknown> = async () => {};
const job = { name: 'ledger.seal', cron: '* * * * *', expireSeconds: 300, run: () => outcome() };
const nightly = { name: 'db.vacuum', cron: '37 * * * *', expireSeconds: 600, run: async () => {} };
const loop = { name: 'market', pauseMs: 250, round: () => outcome() };

const world = closeAfterAll(await openConsoleWorld());
const board = new JobBoard(world.context);

const sent: string[] = [];
const write = () =>
  board.write(async (name) => {
    sent.push(name);
  });
const list = async () => (await world.get(world.support, 'operator/jobs')).body.data.items;
const find = async (name: string) => (await list()).find((item: { name: string }) => item.name === name);
const run = (name: string, who = world.admin) => world.send(who, 'POST', `operator/jobs/${name}/run`);
const now = () => world.clock.now().toISOString();

describe('jobs', () => {
  test('the list is empty until a worker has run', async () => {
    expect(await list()).toEqual([]);
    expect(await run('ledger.seal')).toMatchObject(refusal(404, 'job_not_found'));
  });

  test('a worker registers its jobs, and a later one removes those that are gone', async () => {
    await board.open([job, { ...nightly, name: 'old.job' }], [loop]);
    await board.open([job, nightly], [loop]);
    expect(await list()).toMatchObject([
      { name: 'db.vacuum', kind: 'queue', cron: '37 * * * *', state: 'waiting', last_success_at: null, overdue: false },
      { name: 'ledger.seal', kind: 'queue', cron: '* * * * *' },
      { name: 'market', kind: 'loop', cron: null, failures: 0, asked_for: false },
    ]);
  });

  test('a success is recorded with its duration', async () => {
    await board.watchJob(job).run();
    await board.watchLoop(loop).round(250);
    await write();
    for (const name of ['ledger.seal', 'market']) {
      expect(await find(name)).toMatchObject({
        state: 'waiting',
        last_success_at: now(),
        last_fault: null,
        failures: 0,
        took_ms: expect.any(Number),
        overdue: false,
      });
    }
  });

  test('a status that could not be written is written in the next round', async () => {
    let { db } = world.context;
    const other = new JobBoard({
      ...world.context,
      get db() {
        return db;
      },
    });
    const round = () => other.write(async () => {});
    world.clock.advance(1);
    const succeededAt = now();
    await other.watchJob(nightly).run();
    db = undefined as never;
    await expect(round()).rejects.toThrow('cannot be compiled');
    ({ db } = world.context);
    world.clock.advance(1);
    await round();
    expect(await find('db.vacuum')).toMatchObject({ state: 'waiting', last_success_at: succeededAt });
  });

  test('faults are counted and named by kind, never by text, and are still thrown', async () => {
    outcome = () => Promise.reject(Object.assign(new Error('password of anna is 493817'), { code: '23505' }));
    world.clock.advance(1);
    const failedAt = now();
    for (let round = 0; round < 2; round += 1) {
      await expect(board.watchLoop(loop).round(250)).rejects.toThrow('493817');
    }
    await write();
    await expect(board.watchLoop(loop).round(250)).rejects.toThrow('493817');
    await write();
    expect(await find('market')).toMatchObject({
      state: 'failing',
      last_fault_at: failedAt,
      last_fault: '23505',
      failures: 3,
    });
    expect(JSON.stringify(await list())).not.toContain('493817');
    const held = Object.assign(new Error('held'), { code: '55P03' });
    for (const [errors, fault] of [
      [[held, new RangeError()], '55P03'],
      [[], 'AggregateError'],
    ] as const) {
      outcome = () => Promise.reject(new AggregateError(errors));
      await expect(board.watchLoop(loop).round(250)).rejects.toThrow(AggregateError);
      await write();
      expect(await find('market')).toMatchObject({ last_fault: fault });
    }
    outcome = async () => {};
    world.clock.advance(1);
    await board.watchLoop(loop).round(250);
    await write();
    expect(await find('market')).toMatchObject({
      state: 'waiting',
      last_success_at: now(),
      last_fault_at: failedAt,
      failures: 0,
    });
  });

  test('one that started and has not ended is running', async () => {
    let finish = () => {};
    outcome = () =>
      new Promise<void>((done) => {
        finish = done;
      });
    world.clock.advance(1);
    const running = board.watchJob(job).run();
    await write();
    expect(await find('ledger.seal')).toMatchObject({ state: 'running' });
    world.clock.advance(1);
    finish();
    await running;
    await write();
    expect(await find('ledger.seal')).toMatchObject({ state: 'waiting', last_success_at: now() });
    outcome = async () => {};
  });

  test('one without a success for too long is overdue', async () => {
    // Two seconds have passed since the last success.
    world.clock.advance(118);
    expect(await find('market')).toMatchObject({ overdue: false });
    world.clock.advance(1);
    expect(await find('market')).toMatchObject({ overdue: true });
    expect(await find('ledger.seal')).toMatchObject({ overdue: false });
  });

  test('one whose success is ahead of the clock, which was set back, is overdue until it succeeds again', async () => {
    world.clock.advance(-600);
    expect(await find('market')).toMatchObject({ overdue: true });
    await board.watchLoop(loop).round(250);
    await write();
    expect(await find('market')).toMatchObject({ last_success_at: now(), overdue: false });
    world.clock.advance(600);
  });

  test('an admin requests a run, which is sent once and is in the audit log', async () => {
    for (let time = 0; time < 2; time += 1) expect(await run('ledger.seal')).toMatchObject({ status: 200 });
    expect(await find('ledger.seal')).toMatchObject({ asked_for: true });
    await write();
    await write();
    expect(sent).toEqual(['ledger.seal']);
    expect(await find('ledger.seal')).toMatchObject({ asked_for: false });
    const entries = await world.select<object>(
      sql`select actor_id, subject from audit.entry where action = 'job.run' order by id limit 1`,
    );
    expect(entries).toEqual([{ actor_id: world.admin.operatorId, subject: 'job:ledger.seal' }]);
  });

  test('a request that could not be sent stays', async () => {
    await run('db.vacuum');
    await expect(board.write(() => Promise.reject(new Error('no queue')))).rejects.toThrow('no queue');
    expect(await find('db.vacuum')).toMatchObject({ asked_for: true });
    await write();
    expect(sent.at(-1)).toBe('db.vacuum');
  });

  test.each(['market', 'no.such'])('a run of %s cannot be requested', async (name) => {
    expect(await run(name)).toMatchObject(refusal(404, 'job_not_found'));
  });

  test('a malformed job name is refused', async () => {
    expect(await run('Bad_Name')).toMatchObject(refusal(422, 'validation'));
  });
});

describe('emails that failed permanently', () => {
  const failed = (query = '') => world.get(world.admin, `operator/failed-emails${query}`);
  const retry = (id: string, who = world.admin) => world.send(who, 'POST', `operator/failed-emails/${id}/retry`);
  const emailOf = async (subject: string): Promise<{ id: bigint; state: string; text: string }> => {
    const [row] = await world.select<{ id: bigint; state: string; text: string }>(
      sql`select id, state, text from notify.mail where subject = ${subject}`,
    );
    return row as { id: bigint; state: string; text: string };
  };
  const giveUp = async (subject: string) => {
    await inTransaction(world.context.db, (tx) =>
      queueEmail(tx, { to: { name: 'Anna', address: 'anna@mail.example' }, subject, text: `${subject}: 493817\n` }),
    );
    await sql`
      update notify.mail set state = 'failed', last_fault = 'EENVELOPE 550', tries = 1
      where subject = ${subject}`.execute(world.context.db);
    return (await emailOf(subject)).id.toString();
  };

  test('are listed newest first, without their text and with the address masked', async () => {
    for (const subject of ['one', 'two']) await giveUp(subject);
    const first = await failed('?limit=1');
    expect(first.body.data.items).toEqual([
      {
        id: expect.any(String),
        to: 'a•••@m•••.example',
        subject: 'two',
        tries: 1,
        fault: 'EENVELOPE 550',
        created_at: expect.any(String),
      },
    ]);
    expect(first.text).not.toContain('493817');
    const next = await failed(`?cursor=${first.body.data.next_cursor}`);
    expect(next.body.data).toMatchObject({ items: [{ subject: 'one' }], next_cursor: null });
    expect(await failed('?cursor=x')).toMatchObject(refusal(422, 'validation'));
  });

  test('are retried when an admin requests it', async () => {
    const id = await giveUp('again');
    expect(await retry(id)).toMatchObject({ status: 200 });
    expect(await emailOf('again')).toMatchObject({ state: 'waiting', text: 'again: 493817\n' });
    expect(await retry(id)).toMatchObject(refusal(409, 'email_not_failed'));
    await sendDueEmails(world.context, undefined);
    expect(await emailOf('again')).toMatchObject({ state: 'logged' });
    expect(await retry('999999')).toMatchObject(refusal(409, 'email_not_failed'));
  });

  test('begin their tries anew', async () => {
    const id = await giveUp('deferred');
    await sql`update notify.mail set deferrals = 79, next_try_at = '2999-01-01' where id = ${id}`.execute(
      world.context.db,
    );
    await retry(id);
    const busy = Object.assign(new Error('mailbox full'), { code: 'EENVELOPE', responseCode: 452 });
    const full = { send: () => Promise.reject(busy), close: () => {} };
    expect(await sendDueEmails(world.context, full)).toMatchObject({ postponed: 1, failed: 0 });
    expect(await emailOf('deferred')).toMatchObject({ state: 'waiting' });
  });

  test('cannot be retried when they were the last to a closed account, whose address is gone', async () => {
    const id = await giveUp('last');
    await sql`update notify.mail set to_address = '' where id = ${id}`.execute(world.context.db);
    expect(await retry(id)).toMatchObject(refusal(409, 'email_not_failed'));
  });

  test('lose their text after three days, and cannot be retried then', async () => {
    const id = await giveUp('old');
    const later = (days: number) => ({ ...world.context, now: () => new Date(Date.now() + days * 86_400_000) });
    await forgetFailedTexts(later(2));
    expect(await emailOf('old')).toMatchObject({ text: 'old: 493817\n' });
    await forgetFailedTexts(later(4));
    expect(await emailOf('old')).toMatchObject({ text: '' });
    expect(await retry(id)).toMatchObject(refusal(409, 'email_not_failed'));
  });

  test('are neither listed nor counted once they cannot be retried', async () => {
    const subjects = async () => (await failed()).body.data.items.map((mail: { subject: string }) => mail.subject);
    const counted = async () => (await world.get(world.admin, 'operator/overview')).body.data.queues.emails.failed;
    const before = await counted();
    const id = await giveUp('stale');
    expect([await subjects(), await counted()]).toEqual([expect.arrayContaining(['stale']), before + 1]);
    const longAgo = new Date(world.context.now().getTime() - 4 * 86_400_000);
    await sql`update notify.mail set created_at = ${longAgo} where id = ${id}`.execute(world.context.db);
    expect([await subjects(), await counted()]).toEqual([expect.not.arrayContaining(['stale']), before]);
  });

  test('are neither listed nor counted of a closed account, whose address is deleted', async () => {
    const list = async () => (await failed()).body.data.items.length;
    const counted = async () => (await world.get(world.admin, 'operator/overview')).body.data.queues.emails.failed;
    const before = [await list(), await counted()];
    const { memberId } = await world.addMember();
    const id = await giveUp('to a member');
    await sql`update notify.mail set member_id = ${memberId} where id = ${id}`.execute(world.context.db);
    const last = { subject: 'Your account is closed', text: 'Goodbye.\n' };
    await inTransaction(world.context.db, (tx) => forgetMember(tx, memberId, last));
    await sendDueEmails(world.context, {
      send: () => Promise.reject(new EmailRejected('no', { cause: {} })),
      close: () => {},
    });
    expect(await emailOf(last.subject)).toMatchObject({ state: 'failed' });
    expect([await list(), await counted()]).toEqual(before);
    await forgetFailedTexts(world.context);
    expect(await emailOf(last.subject)).toMatchObject({ text: '' });
  });
});
