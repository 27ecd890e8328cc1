import { BadConfig } from '#server/config.ts';
import { refuseOutage } from '#server/db/outage.ts';
import { migrateAs } from '#server/migrate-database.ts';
import { counted, print, runWithConfig } from './run-command.ts';

/**
 * `npm run migrate`: migrates the schema at `DATABASE_MIGRATE_URL` (else `DATABASE_URL`) and grants the roles of
 * `deploy/roles.sql` their rights, so that no serving process needs those credentials (docs/operations.md, "Roles").
 */
await runWithConfig(async ({ databaseMigrateUrl, databaseUrl }) => {
  const url = databaseMigrateUrl ?? databaseUrl;
  if (url === undefined) throw new BadConfig('DATABASE_MIGRATE_URL: required');
  const setting = url === databaseMigrateUrl ? 'DATABASE_MIGRATE_URL' : 'DATABASE_URL';
  const ran = await refuseOutage(() => migrateAs(url, setting));
  print(
    ...ran,
    ran.length === 0 ? 'The schema is up to date.' : `${counted(ran.length, 'migration', 'migrations')} ran.`,
  );
  return 0;
});
