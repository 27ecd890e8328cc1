import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import type { Replica } from './db/replica.ts';
import type { SealKey } from './signing/index.ts';

/** What every operation is given. Nothing else is reached for: no globals, no clock of its own. */
export type Context = {
  readonly db: Db;
  /** For what has to answer when every other connection is taken; `db` where it is left out. */
  readonly reserved?: Db;
  /** A standby, where there is one. */
  readonly replica?: Replica;
  readonly config: Config;
  /** Real time. Market time is asked of `market/`. */
  readonly now: () => Date;
  readonly log: Logger;
  /** Of processes that seal. */
  readonly sealKey?: SealKey;
};

/** The same on the connections that are kept free. */
export const onReserved = (context: Context): Context => ({ ...context, db: context.reserved ?? context.db });

/**
 * Reads on the replica where there is one: all that was committed before is seen. On the primary where there is none, or
 * it is behind or fails. Not for what decides anything.
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
