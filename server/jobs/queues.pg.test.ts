import { PgBoss } from 'pg-boss';
import { expect, test, vi } from 'vitest';
import { execute, getValue } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testContext } from '#test/worlds/builders.ts';
import { installQueues, startQueues } from './queues.ts';

const database = closeAfterAll(await openTestDatabase());

test('a queue lost in a failover is created again, and its job runs', async () => {
  await installQueues(database);
  // Created, and lost with the primary before its standby had it.
  await database.runScript(`
    create table lost (name text);
    create function lose_queue() returns trigger language plpgsql as $$ begin
      if not exists (select from lost) then
        insert into lost values (new.name);
        delete from pgboss.queue where name = new.name;
      end if;
      return null;
    end $$;
    create trigger lose after insert on pgboss.schedule for each row execute function lose_queue()`);
  const run = vi.fn(async () => {});
  const context = testContext(database);
  const [warn, error] = [vi.spyOn(context.log, 'warn'), vi.spyOn(context.log, 'error')];
  const queues = await startQueues(context, database, [
    { name: 'test.lost', cron: '0 0 1 1 *', run, expireSeconds: 60 },
  ]);
  try {
    await expect
      .poll(
        () =>
          queues.send('test.lost').then(
            () => run.mock.calls.length > 0,
            () => false,
          ),
        { interval: 200 },
      )
      .toBe(true);
    expect(warn).toHaveBeenCalledExactlyOnceWith({ job: 'test.lost' }, 'job queue lost, made again');
    expect(error).not.toHaveBeenCalled();
  } finally {
    await queues.stop();
  }
});

test('the job of a dead worker runs elsewhere within minutes, however long it may take', async () => {
  await installQueues(database);
  const run = vi.fn(async () => {});
  const job = { name: 'test.long', cron: '0 0 1 1 *', run, expireSeconds: 7200 };
  const dead = new PgBoss({ ...database.pooled, schema: 'pgboss', schedule: false });
  dead.on('error', () => {});
  await dead.start();
  // As created by an earlier version.
  await dead.createQueue('test.long', { policy: 'exclusive', expireInSeconds: 7200 });
  await (await startQueues(testContext(database), database, [{ ...job, run: () => new Promise(() => {}) }])).stop();
  await dead.send('test.long');
  expect(await dead.fetch('test.long')).toHaveLength(1);
  const queues = await startQueues(testContext(database), database, [job]);
  try {
    await execute(database.db)`
      update pgboss.job set heartbeat_on = now() - interval '61 seconds' where name = 'test.long'`;
    await dead.supervise('test.long');
    await expect.poll(() => run.mock.calls.length, { interval: 200 }).toBe(1);
  } finally {
    await queues.stop();
    await dead.stop({ graceful: false });
  }
});

test('schedules are kept while the clock of the machine is set back', async () => {
  await installQueues(database);
  const queues = await startQueues(testContext(database), database, []);
  const now = Date.now.bind(Date);
  let backMs = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() - backMs);
  const setBack = () => {
    backMs += 3_600_000;
    return getValue(database.db)<Date | null>`select cron_on from pgboss.version`;
  };
  try {
    await expect.poll(setBack, { interval: 200 }).not.toBe(null);
    const last = await setBack();
    await expect.poll(setBack, { interval: 200 }).not.toEqual(last);
  } finally {
    clock.mockRestore();
    await queues.stop();
  }
});

test('the error of a job is in the log, each time that it fails', async () => {
  await installQueues(database);
  const context = testContext(database);
  const error = vi.spyOn(context.log, 'error');
  const run = vi.fn(async () => {});
  run.mockRejectedValueOnce(new Error('gateway btcpay is not in PAYMENTS'));
  const queues = await startQueues(context, database, [
    { name: 'test.failing', cron: '0 0 1 1 *', run, expireSeconds: 60 },
  ]);
  try {
    await queues.send('test.failing');
    await expect.poll(() => run.mock.calls.length, { interval: 200 }).toBe(2);
    expect(error).toHaveBeenCalledExactlyOnceWith(
      { err: new Error('gateway btcpay is not in PAYMENTS'), job: 'test.failing' },
      'job failed',
    );
  } finally {
    await queues.stop();
  }
});
