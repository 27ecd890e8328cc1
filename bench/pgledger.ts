import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadConfig } from '#server/config.ts';
import { connectPostgres } from '#server/db/connect.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { runOn } from './measure.ts';

/**
 * Another ledger in PostgreSQL to compare with, https://github.com/pgr0ss/pgledger, whose SQL is not part of this project:
 * `npm run bench -- ledger --pgledger FOLDER` with its `pgledger.sql` and, from https://github.com/scoville/pgsql-ulid, the
 * `uuid-to-ulid.sql` it calls.
 */
const COMMIT = '9353665';
const FILES = ['uuid-to-ulid.sql', 'pgledger.sql'];
const DATABASE = 'pgledger';
export const PGLEDGER_PLACE = [DATABASE, 'tradewind'] as const;

/** Its SQL; undefined when no folder is named. */
export function findPgledger(args: readonly string[] = process.argv): readonly string[] | undefined {
  const at = args.indexOf('--pgledger');
  if (at < 0) return undefined;
  const paths = FILES.map((file) => join(args[at + 1] ?? '', file));
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length > 0) throw new BadConfig(`--pgledger FOLDER: there is no ${missing.join(', ')}`);
  return paths.map((path) => readFileSync(path, 'utf8'));
}

/** Names the compared version in the result. */
export const aboutPgledger = (sql: readonly string[] | undefined): string =>
  sql === undefined
    ? 'pgledger was not measured: no folder with its SQL was given (`--pgledger FOLDER`).'
    : `pgledger: its SQL as of commit ${COMMIT}, a call of \`pgledger_create_transfer\` each or one of \`pgledger_create_transfers\` for those together, in its own database of the same server.`;

/** Two accounts per member, as in this ledger: one that pays and one that is paid; number 0 is the hot one. */
export async function preparePgledger(cluster: Cluster, sql: readonly string[], members: number): Promise<void> {
  await runOn(cluster, `create database ${DATABASE}`);
  const database = connectPostgres(cluster.url(DATABASE), { max: 1 });
  for (const script of sql) await database.runScript(script);
  await database.runScript(`
    create table numbered as
    select n, (pgledger_create_account('account ' || n, 'USD')).id from generate_series(0, ${2 * members}) as n;
    alter table numbered add primary key (n)`);
  await database.runScript('vacuum analyze');
  await database.close();
}

const script = (members: number, from: string, to: string): string =>
  [
    `\\set member random(1, ${members})`,
    `select id from pgledger_create_transfer((select id from numbered where n = ${from}), (select id from numbered where n = ${to}), 1000000);`,
  ].join('\n');

/** One transfer between two accounts that no other uses. */
export const pgledgerSpread = (members: number): string => script(members, ':member', `${members} + :member`);
/** Every transfer from the same account. */
export const pgledgerHot = (members: number): string => script(members, '0', ':member');
/** Several transfers in one call, each between two accounts that no other uses. */
export const pgledgerGroup = (members: number, group: number): string =>
  [
    `\\set first random(1, ${members - group})`,
    `select count(*) from pgledger_create_transfers(
       array(select (a.id, b.id, 1000000)::transfer_request from numbered a join numbered b on b.n = ${members} + a.n
             where a.n between :first and :first + ${group - 1}), now());`.replaceAll('\n', ' '),
  ].join('\n');
