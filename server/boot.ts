import { randomBytes } from 'node:crypto';
import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { connect, type Database } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { chooseDemoStart } from './demo/choose-start.ts';
import { ensureCompany, ensureFirstAdmin } from './identity/index.ts';
import { prepareMarket } from './market/index.ts';
import { refuseVenueChange } from './trading/index.ts';

/** Opens the database and brings it up to date: schema, the company, the first operator, a market. */
export async function boot(
  config: Config,
  log: Logger = openLog(config),
): Promise<{ context: Context; database: Database }> {
  const database = await connect(config);
  const secret = config.sandboxSecret ?? randomBytes(32).toString('hex');
  const context: Context = {
    db: database.db,
    config: { ...config, market: marketOf(config), sandboxSecret: secret },
    now: () => new Date(),
    log,
  };
  await migrate(database);
  await prepare(context);
  return { context, database };
}

/** The demo world has its own beginning, unless another is asked for. */
const marketOf = ({ market, demo }: Config): Config['market'] =>
  demo ? { ...market, start: market.start ?? chooseDemoStart(new Date()) } : market;

/** What a migrated database must have before anybody calls; changes nothing when it is there. */
export async function prepare(context: Context): Promise<void> {
  await ensureCompany(context);
  await ensureFirstAdmin(context);
  await prepareMarket(context);
  await refuseVenueChange(context);
}

/** Errors of the database carry the statement's parameters, which may be secrets: only what names the fault is logged. */
function openLog(config: Config): Logger {
  return pino({ level: config.logLevel, serializers: { err: describeError } });
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, code, constraint, stack: error.stack, ...cause };
}
