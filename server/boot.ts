import { symbols } from '#contract/rules.ts';
import { ensureCompany, ensureFirstAdmin } from './accounts/index.ts';
import { refuseWrongClock } from './clock-offset.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { connect, type Database } from './db/connect.ts';
import { beginThroughOutage } from './db/outage.ts';
import { openReplica } from './db/replica.ts';
import { chooseDemoStart } from './demo/choose-start.ts';
import { prepareMarket, updateListed } from './market/index.ts';
import { bringUpToDate } from './migrate-database.ts';
import { refuseDatabaseSettings } from './refuse-database-settings.ts';
import { refuseMixedMoney, rememberService } from './refuse-mixed-money.ts';
import { refuseOtherCluster } from './refuse-other-cluster.ts';
import { refuseEmbedded, refusePrivilegedRole } from './refuse-privileged-role.ts';
import { fingerprintOf, openSealKey } from './signing/index.ts';
import { readLastSeals } from './solvency/index.ts';
import { openLog } from './telemetry/open-log.ts';
import { openTracing } from './telemetry/spans.ts';
import { prepareLimits, refuseVenueChange } from './trading/index.ts';

/** Opens the database and prepares it: schema, company, first operator, market. */
export async function boot(settings: Config): Promise<{ context: Context; database: Database }> {
  refuseEmbedded(settings);
  const config = { ...settings, market: marketOf(settings) };
  const log = openLog(config);
  await openTracing(config, log);
  const database = await connect(settings);
  const { db, reserved, jobs } = database;
  const begun: Context = { db, reserved, config, now: () => new Date(), log };
  await beginThroughOutage(begun, () => refusePrivilegedRole(begun, database));
  await beginThroughOutage(begun, () => refuseDatabaseSettings(begun, database));
  await beginThroughOutage(begun, () => bringUpToDate(config, database));
  if (config.jobs) await beginThroughOutage(begun, () => refuseWrongClock(begun));
  await beginThroughOutage(begun, () => prepare({ ...begun, db: jobs }));
  const replica = openReplica(config, begun);
  const context = replica === undefined ? begun : { ...begun, replica };
  // A process that only serves requests does not seal and needs no key.
  if (!config.jobs && !config.demo) return { context, database };
  const sealKey = await beginThroughOutage(context, () =>
    openSealKey({ ...context, db: jobs }, config.sealKeyFile, () => readLastSeals(jobs)),
  );
  context.log.info({ fingerprint: fingerprintOf(sealKey.key.publicKey) }, 'seals are signed');
  return { context: { ...context, sealKey }, database };
}

/** The demo world has its own start, unless MARKET_START is set or a recording says when it may begin. */
const marketOf = ({ market, demo }: Config): Config['market'] =>
  demo && market.feed !== 'replay' ? { ...market, start: market.start ?? chooseDemoStart(new Date()) } : market;

/** Creates what a migrated database needs before the first call. Idempotent. */
export async function prepare(context: Context): Promise<void> {
  await refuseOtherCluster(context);
  await refuseMixedMoney(context);
  await ensureCompany(context);
  await ensureFirstAdmin(context);
  await prepareMarket(context);
  await refuseVenueChange(context);
  await prepareLimits(context);
  if (context.config.venue === 'paper') await updateListed(context.db, symbols);
  // Last, so that a refused start leaves nothing behind that refuses the next one.
  await rememberService(context);
}
