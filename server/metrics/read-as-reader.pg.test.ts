import { expect, test, vi } from 'vitest';
import { boot } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import { connectPostgres, connectReader } from '#server/db/connect.ts';
import { listValues } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { startRoleCluster } from '#test/database/ready-clusters.ts';
import { recordHours } from '#test/kit/boot.ts';
import { openProcessMetrics } from './index.ts';

const { cluster, urls } = await startRoleCluster();
closeAfterAll({ close: () => cluster.stop() });
const market = closeAfterAll(recordHours());
const config = readConfig({
  ...market.env,
  DATABASE_URL: urls.app,
  DATABASE_READER_URL: urls.reader,
  JOBS: 'off',
  LOG_LEVEL: 'silent',
});
const { context, database } = closeAfterAll(await boot(config));
const reader = closeAfterAll((await connectReader(config)) as NonNullable<Awaited<ReturnType<typeof connectReader>>>);
const superuser = closeAfterAll(connectPostgres(urls.superuser, { max: 1 }));
// With nothing to read some tables are not queried.
await superuser.runScript(
  `insert into integrity.run (scope, state, started_at, finished_at) values ('whole', 'passed', now(), now());
   insert into trading.session (day, opens_at, closes_at, state)
   values ('2026-03-04', '2026-03-04T12:30:00Z', '2026-03-04T17:30:00Z', 'scheduled')`,
);
const atExchange = { ...context, config: { ...context.config, venue: 'ccxt' as const } };
const metrics = openProcessMetrics(atExchange, database, () => 0, reader.reserved);

const isUp = /^tradewind_database_up 1$/m;

test('metrics are read with the reader’s role alone', async () => {
  const text = await metrics.write();
  expect(text).toMatch(isUp);
  expect(text).toContain('tradewind_liabilities_dollars 0');
  const [role] = await listValues(reader.reserved)<string>`select session_user::text`;
  expect(role).toBe('tradewind_reader');
});

test('every table the reader may read is read; a missing privilege is named in the log', async () => {
  const tables = await listValues(superuser.db)<string>`
    select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and has_any_column_privilege('tradewind_reader', c.oid, 'select') order by 1`;
  expect(tables.length).toBeGreaterThan(15);
  const log = vi.spyOn(context.log, 'error');
  const unread: string[] = [];
  for (const table of tables) {
    const [columns] = await listValues(superuser.db)<string | null>`
      select string_agg(quote_ident(attname), ', ') from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attacl is not null`;
    const part = columns === null ? '' : `(${columns})`;
    await superuser.runScript(`revoke select ${part} on ${table} from tradewind_reader`);
    if (isUp.test(await metrics.write())) unread.push(table);
    await superuser.runScript(`grant select ${part} on ${table} to tradewind_reader`);
  }
  expect(unread).toEqual([]);
  const words = expect.stringMatching(/^permission denied for table/);
  expect(log).toHaveBeenLastCalledWith({ err: expect.objectContaining({ message: words }) }, 'metrics not read');
});
