import { pino } from 'pino';
import { BadConfig, type Config, readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { connect, type Database, FolderInUse } from '#server/db/connect.ts';

/**
 * Runs a command and ends the process with its exit code. A wrong setting, a folder in use, and the other `expected` errors
 * are one line on stderr and exit code 1. PostgreSQL may be in use meanwhile; the embedded database may not.
 */
export async function runCommand(
  main: (config: Config) => Promise<0 | 1>,
  ...expected: readonly (new (
    ...args: never[]
  ) => Error)[]
): Promise<void> {
  try {
    process.exitCode = await main(readConfig());
  } catch (error) {
    if (![BadConfig, FolderInUse, ...expected].some((kind) => error instanceof kind)) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

/** Opens the configured database for a command, and closes it whatever happens. */
export async function withDatabase<T>(
  config: Config,
  work: (context: Context, database: Database) => Promise<T>,
): Promise<T> {
  const database = await connect(config);
  try {
    return await work({ db: database.jobs, config, now: () => new Date(), log: pino({ level: 'silent' }) }, database);
  } finally {
    await database.close();
  }
}

export const print = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** `counted(1, 'discrepancy', 'discrepancies') === '1 discrepancy'` */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
