import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';

/** What every operation is given. Nothing else is reached for: no globals, no clock of its own. */
export type Context = {
  readonly db: Db;
  readonly config: Config;
  /** Real time. Market time is asked of `market/`. */
  readonly now: () => Date;
  readonly log: Logger;
};
