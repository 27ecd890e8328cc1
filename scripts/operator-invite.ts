import { pino } from 'pino';
import { z } from 'zod';
import { emailAddress, personName } from '#contract/accounts/person.ts';
import { operatorRoles } from '#contract/endpoint.ts';
import { inviteFromServer } from '#server/accounts/index.ts';
import { BadConfig, readConfig } from '#server/config.ts';
import { connect, FolderInUse } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { Refused } from '#server/refused.ts';

const USAGE = `Usage: npm run operator:invite -- MAIL NAME ROLE, with a role of ${operatorRoles.join(', ')}`;
const words = z.tuple([emailAddress, personName, z.enum(operatorRoles)]);

/**
 * `npm run operator:invite -- MAIL NAME ROLE`: mails an invitation and prints its link, for when one admin is left and
 * nobody can approve another (docs/operators-guide.md, "Operators"). PostgreSQL may be in use meanwhile; the embedded
 * database may not.
 */
async function main(): Promise<void> {
  const given = words.safeParse(process.argv.slice(2));
  if (!given.success) throw new BadConfig(`${given.error.issues[0]?.message ?? 'Not understood.'}\n${USAGE}`);
  const [email, name, role] = given.data;
  const config = readConfig();
  const database = await connect(config);
  try {
    await migrate(database);
    const context = { db: database.jobs, config, now: () => new Date(), log: pino({ level: 'silent' }) };
    const { url, expiresAt } = await inviteFromServer(context, { email, name, role });
    process.stdout.write(`${name} is invited as ${role}. This opens once, until ${expiresAt.toISOString()}:\n${url}\n`);
  } finally {
    await database.close();
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof BadConfig || error instanceof FolderInUse || error instanceof Refused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
