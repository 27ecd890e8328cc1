import type { Db, Tx } from './connect.ts';
import { execute, listRows } from './rows.ts';

/** The mode in which a database is served, and its kind of money. */
export type Service = {
  readonly mode: 'paper' | 'staging' | 'live';
  readonly money: 'simulated' | 'test' | 'real';
};

const INSTALLATION_LOCK = 7_301_011;

/** Serializes first starts until the transaction ends. */
export const lockInstallation = (tx: Tx) => execute(tx)`select pg_advisory_xact_lock(${INSTALLATION_LOCK})`;

/** Every combination in which the database has ever been served. */
export const listServices = (db: Db | Tx) => listRows(db)<Service>`select mode, money from public.installation`;

export const insertService = (tx: Tx, { mode, money }: Service, startedAt: Date) =>
  execute(tx)`
    insert into public.installation (mode, money, first_started_at) values (${mode}, ${money}, ${startedAt})
    on conflict (mode, money) do nothing`;
