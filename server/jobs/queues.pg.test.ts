import { expect, test, vi } from 'vitest';
import { testContext } from '#test/builders.ts';
import { closeAfterAll } from '#test/close-after-all.ts';
import { openTestDatabase } from '#test/database.ts';
import { installQueues, startQueues } from './queues.ts';

const database = closeAfterAll(await openTestDatabase());

test('a queue that a failover lost is made again, and its job runs', async () => {
  await installQueues(database);
  // Made, and gone with the primary before its standby had it.
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

test('what a job failed with is in the log, each time that it fails', async () => {
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
