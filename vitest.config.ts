import { globSync, readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hasAge } from './test/database/age.ts';
import { findPgbouncer } from './test/database/pgbouncer.ts';
import { findPostgresPrograms } from './test/database/postgres-cluster.ts';
import { mayMount } from './test/database/small-disk.ts';
import { lightEndpoints } from './web/build/light-endpoints.ts';

// Whatever the shell says: React's production build cannot be tested.
process.env.NODE_ENV = 'test';

const hasPostgres = findPostgresPrograms() !== undefined;
/** The folder with recordings of an exchange (scripts/test-recorded.ts). */
const recordings = process.env.RECORDINGS;

/** Browsers and databases leave a worker waiting half of the time, so two more than a small machine has cores. */
const MAX_WORKERS = 4;

/** Test files share the modules of their worker: loading them is half the work, and none keeps state that another file sees. */
const shared = {
  isolate: false,
  setupFiles: ['test/kit/quiet-console.ts', 'test/kit/property-runs.ts', 'test/database/one-statement-at-a-time.ts'],
  // Only for what never ends: a test on a busy machine is late, not wrong.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 100_000 } },
};
/** For tests with members in a database. */
const peopled = { ...shared, setupFiles: [...shared.setupFiles, 'test/worlds/quick-passwords.ts'] };

/** Journeys through every layer: from an invitation to an income, a deposit, and a withdrawal with its approval. */
const journey = 'test/e2e/journey.e2e.ts';
const journeys = [journey, ...['deposit', 'withdrawal'].map((name) => `test/e2e/${name}.e2e.ts`)];
/** Long tests of guarantees that a shorter test covers as well: sessions of many members, random trees of them, many kills. */
const long = [
  'server/trading/**/simulated-users.pg.test.ts',
  'test/income/forest.pg.test.ts',
  'test/exchange-sessions.pg.test.ts',
  'test/lives/*.pg.test.ts',
  'test/account-security/*.pg.test.ts',
  'server/funds/payment-sessions.pg.test.ts',
  'test/bad-input.any.test.ts',
  'test/faults/*.race.test.ts',
  'test/fuzz/*.pg.test.ts',
  'test/shards/*.pg.test.ts',
  'test/audit-walk/*.pg.test.ts',
  'server/solvency/treasury/coin-sale.pg.test.ts',
  'server/trading/execution/{execute-batches,killed-batch}.pg.test.ts',
  'test/mail-outage.pg.test.ts',
  'server/trading/{plans,portfolio}/*.pg.test.ts',
  'server/trading/stops/stops-in-candles.any.test.ts',
  'server/trading/session/unusual-session.pg.test.ts',
  'server/income/periods/pay-period.pg.test.ts',
  'server/funds/payouts/restart.pg.test.ts',
  'server/market/feeds/*-feed.pg.test.ts',
  'server/trading/execution/{other-exchanges,sell-elsewhere}.pg.test.ts',
  'server/trading/execution/venue-conformance-{faults,statement}.test.ts',
  'server/trading/backtest/backtest-recomputed.test.ts',
  'server/http/slow-clients.any.test.ts',
  'server/trading/statement/statement.pg.test.ts',
  'test/live.race.test.ts',
  'test/backup.pg.test.ts',
  'server/migrate-database.pg.test.ts',
  'server/jobs/queues.pg.test.ts',
  // Those that start servers or processes of their own.
  'test/traces.pg.test.ts',
  'scripts/{venue-report,ledger-verify,income-verify,run-command}.pg.test.ts',
  'scripts/{arguments,venue-rehearse,key-rotate,operator-invite,backtest,market-fetch}.test.ts',
  'test/taken-port.test.ts',
];

/** Tests of time limits (an answer within 300 ms, a 503 within 5 s): run one at a time, when nothing else runs. */
const timed = ['server/db/{limits.race,replica.pg}.test.ts', 'test/outcome-unknown.race.test.ts'];
/** The same, and long: a database that is full or waits for a lock, servers that stop, fail, fail over and come back. */
const outages = [
  'test/database-limits.race.test.ts',
  'test/outages.pg.test.ts',
  'test/failover.pg.test.ts',
  'test/idle-sockets.pg.test.ts',
  'test/live-restart.race.test.ts',
  'test/stop.race.test.ts',
  ...(findPgbouncer() === undefined ? [] : ['test/pooled.pgbouncer.test.ts']),
  ...(hasPostgres && mayMount() ? ['test/disk-full.pg.test.ts'] : []),
];
/** The test of a full disk has to mount one. Where that is not allowed, test/outages.pg.test.ts fills the disk of some tables. */
const withoutDisk = outages.includes('test/disk-full.pg.test.ts') ? [] : ['test/disk-full.pg.test.ts'];
if (withoutDisk.length > 0) console.warn('test/disk-full.pg.test.ts is left out: only root may mount a disk for it.');

/** Encrypted backups need age. */
const withoutAge = hasAge() ? [] : ['test/backup.pg.test.ts', 'test/faults/restore.race.test.ts'];

/**
 * Files that take half a minute or more, the longest first: started last, one would run alone at the end. Web tests are not
 * listed: between files of other projects, they would need a second start of a worker.
 */
const longest = [
  'pages.e2e',
  'pages-rest.e2e',
  'operators.e2e',
  'keyboard.e2e',
  'hostile.e2e',
  'exchange.e2e',
  'console.e2e',
  'account.e2e',
  'journey.e2e',
  'withdrawal.e2e',
  'deposit.e2e',
  'kill.race',
  'webhook-storm.race',
  'simulated-users.pg',
  'fuzz.pg',
  'restore.race',
  'outages.pg',
  'failover.pg',
  'pooled.pgbouncer',
  'operator-accounts.any',
  'bad-input.any',
  'forest.pg',
  'live.race',
  'execute-batches.pg',
  'role-day.pg',
  'pay-bonuses.race',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.includes(`/${name}.`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Files whose tests kill work at its queries: at some of them in `npm test`, at each in `npm run test:full`. */
const listDeaths = () =>
  globSync('server/**/*.{db,any,pg,race}.test.ts').filter((path) =>
    readFileSync(path, 'utf8').includes('killAtEveryQuery'),
  );

/** Files that check properties on examples and need nothing else. */
const listProperties = () =>
  globSync('{contract,server}/**/*.test.ts')
    .filter((path) => !/\.(db|any|pg|race)\.test\.ts$/.test(path))
    .filter((path) => readFileSync(path, 'utf8').includes("from 'fast-check'"));

/** Tests that play recordings, with those of an exchange instead of generated ones. */
const onRecordings = (folder: string) => ({
  extends: true as const,
  test: {
    ...peopled,
    setupFiles: [...peopled.setupFiles, 'test/e2e/without-a-page.ts'],
    name: 'recorded',
    include: [
      'server/market/feeds/replay-feed.test.ts',
      'server/trading/session/simulated-users.pg.test.ts',
      'server/trading/backtest/backtest-recomputed.test.ts',
      'test/e2e/replay.e2e.ts',
    ],
    globalSetup: ['test/database/postgres-setup.ts', 'test/recorded/recorded-setup.ts'],
    provide: { engine: 'postgres' as const, propertyScale: 0.3, recordings: folder },
    testTimeout: 300_000,
    hookTimeout: 240_000,
  },
});

const alone = {
  ...peopled,
  sequence: { groupOrder: 1 },
  maxWorkers: 1,
  globalSetup: ['test/database/postgres-setup.ts'],
  provide: { engine: 'postgres' as const, propertyScale: 0.3 },
};

const browsers = {
  ...shared,
  setupFiles: [...shared.setupFiles, 'test/e2e/without-a-page.ts'],
  // After all others, while the demo world is made: then browsers have the machine to themselves.
  sequence: { groupOrder: 2 },
  globalSetup: ['test/kit/e2e-setup.ts'],
  // With one browser more than cores, each waits longer for the others than it saves.
  maxWorkers: 3,
  testTimeout: 600_000,
  hookTimeout: 240_000,
};

/**
 * `*.test.ts` needs nothing; `*.db.test.ts` needs a database and runs on both engines; `*.any.test.ts` needs one and runs on
 * PostgreSQL where it is installed, else on the embedded engine. Only on PostgreSQL run `*.race.test.ts`, because the
 * embedded engine hides races, `*.pg.test.ts`, which are long, and `*.pgbouncer.test.ts`, where PgBouncer is installed as
 * well; `*.e2e.ts` drives a browser.
 *
 * `npm test` runs unit, web, one engine and journeys; `npm run test:full` runs the rest: long, the other engine, all that
 * browsers do, and properties with ten times the examples.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    maxWorkers: MAX_WORKERS,
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'unit',
          include: ['{contract,server,test,bench,scripts}/**/*.test.ts'],
          exclude: ['**/*.{db,any,pg,race,pgbouncer}.test.ts', ...long],
          provide: { propertyScale: 0.3 },
        },
      },
      {
        extends: true,
        // The table of calls as the browser gets it.
        plugins: [react(), lightEndpoints()],
        test: {
          ...shared,
          name: 'web',
          environment: 'happy-dom',
          // Files share a window: following a link in one test must not move the window under the next.
          environmentOptions: {
            happyDOM: {
              settings: {
                navigation: {
                  disableMainFrameNavigation: true,
                  disableChildFrameNavigation: true,
                  disableChildPageNavigation: true,
                  disableFallbackToSetURL: true,
                },
              },
            },
          },
          include: ['web/**/*.test.{ts,tsx}'],
          setupFiles: ['test/kit/quiet-console.ts', 'web/test-setup.ts', 'web/test/quick-rendering.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...peopled,
          name: 'pglite',
          exclude: long,
          include: [hasPostgres ? '{server,test}/**/*.db.test.ts' : '{server,test}/**/*.{db,any}.test.ts'],
          globalSetup: ['test/database/pglite-setup.ts'],
          provide: { engine: 'pglite', propertyScale: 0.3 },
        },
      },
      {
        extends: true,
        test: {
          ...peopled,
          name: 'postgres',
          include: ['{server,test,scripts}/**/*.{db,any,pg,race}.test.ts'],
          exclude: [...long, ...timed, ...outages, ...withoutAge, ...withoutDisk],
          globalSetup: ['test/database/postgres-setup.ts'],
          provide: { engine: 'postgres', propertyScale: 0.3 },
        },
      },
      {
        extends: true,
        test: {
          ...peopled,
          name: 'long',
          include: [...long, ...listDeaths()],
          exclude: withoutAge,
          globalSetup: ['test/database/postgres-setup.ts'],
          provide: { engine: 'postgres', propertyScale: 1 },
        },
      },
      { extends: true, test: { ...alone, name: 'timed', include: timed } },
      { extends: true, test: { ...alone, name: 'outages', include: outages } },
      {
        extends: true,
        test: {
          ...shared,
          name: 'properties',
          include: listProperties(),
          provide: { propertyScale: 10 },
        },
      },
      {
        extends: true,
        test: {
          ...browsers,
          name: 'journeys',
          include: journeys,
          // They mostly wait for states, so they run beside the other tests, which use the cores meanwhile.
          sequence: { groupOrder: 0 },
          maxWorkers: MAX_WORKERS,
          provide: { engine: hasPostgres ? 'postgres' : 'pglite' },
        },
      },
      {
        extends: true,
        test: {
          ...browsers,
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          // The first journey runs again, on the other engine.
          exclude: journeys.filter((path) => path !== journey),
          provide: { engine: 'pglite' },
        },
      },
      ...(recordings === undefined ? [] : [onRecordings(recordings)]),
    ],
  },
});
