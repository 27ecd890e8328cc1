import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import type { Replica } from './db/replica.ts';
import type { SealKey } from './signing/index.ts';

/** The dependencies of every operation: no globals, no other clock. */
export type Context = {
  readonly db: Db;
  /** For reads that must respond when all other connections are in use; by default `db`. */
  readonly reserved?: Db;
  /** A standby, if configured. */
  readonly replica?: Replica;
  readonly config: Config;
  /** Real time. Market time comes from `market/`. */
  readonly now: () => Date;
  /** Milliseconds that no change of the clock moves; by default those since this process began. */
  readonly elapsed?: () => number;
  readonly log: Logger;
  /** Only in processes that seal. */
  readonly sealKey?: SealKey;
};

/** In milliseconds, to be compared with what this process read before. */
export const elapsedOf = ({ elapsed }: Pick<Context, 'elapsed'>): number => elapsed?.() ?? performance.now();

/** The same context on the reserved connections. */
export const onReserved = (context: Context): Context => ({ ...context, db: context.reserved ?? context.db });

/**
 * Reads on the replica, which has caught up with everything committed before. Falls back to the primary if there is no
 * replica, or it lags or fails. Not for reads that decide anything.
 */
export async function onReplica<T>(context: Context, read: (reading: Context) => Promise<T>): Promise<T> {
  const { replica } = context;
  if (replica === undefined || !(await replica.catchUp())) return read(context);
  try {
    return await read({ ...context, db: replica.db, reserved: replica.db });
  } catch (error) {
    if (!replica.noteFault(error)) throw error;
    return read(context);
  }
}
