import { pino } from 'pino';
import type { Context } from '#server/context.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { findDiscrepancies } from '#server/operator/index.ts';
import { verifySavedHeads } from '#server/solvency/index.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { roleUrls } from '#test/database/postgres-roles.ts';
import { beyond, type Forger, type Forgery, forgeries } from './forgeries.ts';
import type { WalkWorld } from './walk-world.ts';

/** The outcome of a forgery; `missed`: it was neither refused nor detected. */
export type Outcome = {
  readonly forger: Forger;
  readonly name: string;
  readonly result: 'refused' | 'found' | 'missed';
  /** The code of the refusal, or the first discrepancy. */
  readonly by: string;
};

export type WalkReport = {
  /** The discrepancies before any forgery: none. */
  readonly before: readonly string[];
  readonly outcomes: readonly Outcome[];
  /** The outcome of a forgery after the last stored heads. */
  readonly beyond: Outcome;
};

/**
 * Tries each forgery on its own copy of the world, as the role it names, and then verifies as an auditor does, with the
 * key file and the stored heads.
 */
export async function tryForgeries(
  cluster: Cluster,
  world: WalkWorld,
  tell: (outcome: Outcome) => void = () => {},
): Promise<WalkReport> {
  const before = await onCopy(cluster, world, 'copy_untouched', ({ context }) => audit(context, world, true));
  const outcomes: Outcome[] = [];
  for (const [index, forgery] of forgeries.entries()) {
    const outcome = await tryForgery(cluster, world, `copy_${index}`, forgery, true);
    outcomes.push(outcome);
    tell(outcome);
  }
  return { before, outcomes, beyond: await tryForgery(cluster, world, 'copy_beyond', beyond, false) };
}

/** Runs on a copy of the world's database, connected as the server's role; the copy is dropped afterwards. */
async function onCopy<T>(
  cluster: Cluster,
  world: WalkWorld,
  name: string,
  work: (copy: { context: Context; url: string }) => Promise<T>,
): Promise<T> {
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
  await admin.runScript(`create database ${name} template ${world.database} owner tradewind_owner`);
  const url = cluster.url(name);
  const database = connectPostgres(roleUrls(url).app, { max: 2 });
  try {
    return await work({ context: contextOf(world, database), url });
  } finally {
    await database.close();
    await admin.runScript(`drop database ${name} with (force)`);
    await admin.close();
  }
}

const contextOf = ({ config, sealKey }: WalkWorld, { db }: Database): Context => ({
  db,
  config,
  sealKey,
  now: () => new Date(),
  log: pino({ level: 'silent' }),
});

const tryForgery = (
  cluster: Cluster,
  world: WalkWorld,
  copy: string,
  forgery: Forgery,
  isKept: boolean,
): Promise<Outcome> =>
  onCopy(cluster, world, copy, async ({ context, url }) => {
    const { forger, name } = forgery;
    const code = await act(world, url, forgery);
    if (code !== undefined) return { forger, name, result: 'refused', by: code };
    const [first] = await audit(context, world, isKept);
    return first === undefined
      ? { forger, name, result: 'missed', by: 'nothing' }
      : { forger, name, result: 'found', by: first };
  });

/** A missing privilege, a constraint, or the project's own rules; a syntax error would prove nothing. */
const refusals = /^(42501|23\d\d\d|LG\d+|T\w+)$/;

/** @returns the code with which PostgreSQL refused it; undefined if it succeeded */
async function act(world: WalkWorld, url: string, { forger, act: forge }: Forgery): Promise<string | undefined> {
  const urls = roleUrls(url);
  const database = connectPostgres({ app: urls.app, owner: urls.migrator, superuser: urls.superuser }[forger], {
    max: 2,
  });
  try {
    if (typeof forge === 'string') await database.runScript(forge);
    else await forge({ database, context: contextOf(world, database) });
    return undefined;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (forger !== 'app' || typeof code !== 'string' || !refusals.test(code)) throw error;
    return code;
  } finally {
    await database.close();
  }
}

/** All checks of `npm run ledger:verify -- --heads FILE` and of a reconciliation. */
async function audit(context: Context, { sealKey, kept }: WalkWorld, isKept: boolean): Promise<string[]> {
  const found = [
    ...(await findDiscrepancies(context)),
    ...(await verifySavedHeads(context.db, sealKey.statements, isKept ? kept : kept.slice(0, -1))),
  ];
  return found.map(({ subject, message }) => `${subject} ${message}`);
}
