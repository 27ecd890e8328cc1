import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import type { SealKey } from './signing/index.ts';

/** What every operation is given. Nothing else is reached for: no globals, no clock of its own. */
export type Context = {
  readonly db: Db;
  /** For what has to answer when every other connection is taken; `db` where it is left out. */
  readonly reserved?: Db;
  readonly config: Config;
  /** Real time. Market time is asked of `market/`. */
  readonly now: () => Date;
  readonly log: Logger;
  /** Of processes that seal. */
  readonly sealKey?: SealKey;
};

/** The same on the connections that are kept free. */
export const onReserved = (context: Context): Context => ({ ...context, db: context.reserved ?? context.db });
