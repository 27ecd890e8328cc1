import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { z } from 'zod';
import { BadConfig, type Config, readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { connect, type Database, FolderInUse } from '#server/db/connect.ts';
import { findMissingMigration, hasBegun } from '#server/db/migrate.ts';
import { refuseOutage } from '#server/db/outage.ts';
import { describeIssue } from '#server/describe-issue.ts';
import { nameSetting } from '#server/refuse-privileged-role.ts';

type ExpectedError = new (...args: never[]) => Error;

/** Like `runCommand`, for a command that needs the settings: a wrong one ends it. */
export const runWithConfig = (
  main: (config: Config) => Promise<0 | 1>,
  ...expected: readonly ExpectedError[]
): Promise<void> => runCommand(() => main(readConfig()), ...expected);

/**
 * Runs a command and ends the process with its exit code. A bad setting or option, a folder in use, and the other
 * `expected` errors print one line on stderr, exit code 1. Only PostgreSQL may be in use meanwhile.
 */
export async function runCommand(main: () => Promise<0 | 1>, ...expected: readonly ExpectedError[]): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${describeRefusal(error, expected)}\n`);
    process.exitCode = 1;
  }
}

/** The refusal in one line that says what to do. @throws an error that is not a refusal */
export function describeRefusal(error: unknown, expected: readonly ExpectedError[]): string {
  // Node's message goes on about positional arguments.
  if (isWrongOption(error)) return `${error.message.split(/\. |\n/)[0]}. To see the arguments, add: -- --help`;
  if ([BadConfig, FolderInUse, ...expected].some((kind) => error instanceof kind)) return (error as Error).message;
  throw error;
}

/** Runs work with a setting that an option gave: a refusal of it names the option. */
export async function nameOption<T>(setting: string, option: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    throw new BadConfig(error.message.replace(`${setting}:`, `${option}:`));
  }
}

/** The first fault of arguments that a form's schema read, in the words of a command rather than of the form. */
export function badArgument({ issues: [issue] }: z.ZodError, nameOf: (path: readonly PropertyKey[]) => string) {
  return new BadConfig(issue && `${nameOf(issue.path)}: ${describeIssue(issue) ?? issue.message}`);
}

/** Of `parseArgs`. */
const isWrongOption = (error: unknown): error is Error =>
  String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');

/** Opens the configured database for a command and always closes it. @throws BadConfig if there is none */
export async function withDatabase<T>(
  config: Config,
  work: (context: Context, database: Database) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = config;
  // Opening it would make it.
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'pglite')))
    throw new BadConfig(`DATA_DIR: no database in ${dataDir}. Start the server once.`);
  const database = await connect(config);
  try {
    const context = { db: database.jobs, config, now: () => new Date(), log: pino({ level: 'silent' }) };
    return await refuseOutage(() => nameSetting('DATABASE_URL', () => work(context, database)));
  } finally {
    await database.close();
  }
}

/** Like `withDatabase`, to read existing data. @throws BadConfig if the database is missing, empty, or of another version */
export async function readDatabase<T>(config: Config, work: (context: Context) => Promise<T>): Promise<T> {
  return withDatabase(config, async (context) => {
    if (!(await hasBegun(context.db)))
      throw new BadConfig('The database is empty. Start the server once, or run npm run migrate.');
    const missing = await findMissingMigration(context.db);
    if (missing === undefined) return work(context);
    throw new BadConfig(`The database has no ${missing} yet. Start the server once, or run npm run migrate.`);
  });
}

export const print = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** `counted(1, 'discrepancy', 'discrepancies') === '1 discrepancy'` */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
