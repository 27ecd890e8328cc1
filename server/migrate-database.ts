import { BadConfig, type Config } from './config.ts';
import { connectWriter, type Database } from './db/connect.ts';
import { grantRoles } from './db/grants.ts';
import { findMissingMigration, mayMigrate, migrate } from './db/migrate.ts';
import { installQueues } from './jobs/queues.ts';
import { nameSetting } from './refuse-privileged-role.ts';

/**
 * All schema changes, with a role that may make them (docs/operations.md, "Roles"): migrations, tables of the queues,
 * and grants. Several processes may run it concurrently.
 *
 * @param setting that has the URL
 * @returns the names of the migrations that ran
 * @throws BadConfig for a role without permission
 */
export async function migrateAs(url: string, setting = 'DATABASE_MIGRATE_URL'): Promise<string[]> {
  const database = await connectWriter(url, { max: 2 });
  try {
    if (!(await nameSetting(setting, () => mayMigrate(database.db))))
      throw new BadConfig(`${setting}: its role cannot change the schema. Use tradewind_migrator of deploy/roles.sql.`);
    const ran = await migrate(database);
    await installQueues(database);
    await grantRoles(database);
    return ran;
  } finally {
    await database.close();
  }
}

/**
 * Brings the schema up to date: with the migrator role if its URL is set, else with the server's own role if permitted.
 *
 * @throws BadConfig if neither is possible and the schema is outdated
 */
export async function bringUpToDate(
  { databaseMigrateUrl }: Pick<Config, 'databaseMigrateUrl'>,
  database: Database,
): Promise<void> {
  if (databaseMigrateUrl !== undefined) await migrateAs(databaseMigrateUrl);
  else if (await mayMigrate(database.db)) {
    await migrate(database);
    if (database.engine === 'postgres') await grantRoles(database);
  } else {
    const missing = await findMissingMigration(database.db);
    if (missing !== undefined)
      throw new BadConfig(
        `DATABASE_MIGRATE_URL: the database has no ${missing} yet, and the role in DATABASE_URL cannot change it. Run npm run migrate.`,
      );
  }
}
