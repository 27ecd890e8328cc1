import type { Db, Tx } from './connect.ts';
import { execute, listRows } from './rows.ts';

/** How a database is served: in which mode, and what its money is. */
export type Service = {
  readonly mode: 'paper' | 'staging' | 'live';
  readonly money: 'simulated' | 'test' | 'real';
};

const INSTALLATION_LOCK = 7_301_011;

/** First starts wait for each other until the transaction ends. */
export const lockInstallation = (tx: Tx) => execute(tx)`select pg_advisory_xact_lock(${INSTALLATION_LOCK})`;

/** Each way in which the database was ever served. */
export const listServices = (db: Db | Tx) => listRows(db)<Service>`select mode, money from public.installation`;

export const insertService = (tx: Tx, { mode, money }: Service, startedAt: Date) =>
  execute(tx)`
    insert into public.installation (mode, money, first_started_at) values (${mode}, ${money}, ${startedAt})
    on conflict (mode, money) do nothing`;
