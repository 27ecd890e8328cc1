import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './connect.ts';

/**
 * Applies grants.sql to the roles of `deploy/roles.sql` after every schema change, so that no new table is missed. No
 * effect on a database without these roles.
 */
export const grantRoles = (database: Database): Promise<void> =>
  database.runScript(readFileSync(join(import.meta.dirname, 'grants.sql'), 'utf8'));
