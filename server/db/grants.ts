import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './connect.ts';

/**
 * Gives the roles of `deploy/roles.sql` what the rule of grants.sql says, after every change of the schema, so that no new
 * table is forgotten. Does nothing to a database that is not theirs.
 */
export const grantRoles = (database: Database): Promise<void> =>
  database.runScript(readFileSync(join(import.meta.dirname, 'grants.sql'), 'utf8'));
