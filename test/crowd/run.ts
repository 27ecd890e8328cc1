import { pino } from 'pino';
import { prepare } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Cluster, findPostgresPrograms, startCluster } from '../postgres-cluster.ts';
import { type OpenWorld, playSessions, recordedSessions } from './play-sessions.ts';

/** `npm run sessions`: all recorded sessions with a thousand members, on PostgreSQL, every result worked out twice. */
async function main(): Promise<void> {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const cluster = await startCluster(programs);
  try {
    for (const [name, sessions] of Object.entries(recordedSessions)) {
      const started = Date.now();
      const trades = await playSessions(openOn(cluster, name), sessions);
      const seconds = ((Date.now() - started) / 1000).toFixed(0);
      console.log(`${name}: ${sessions.opens.length} sessions, ${trades} trades settled as worked out (${seconds} s)`);
    }
  } finally {
    await cluster.stop();
  }
}

const openOn =
  (cluster: Cluster, name: string): OpenWorld =>
  async (env) => {
    const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
    await admin.runScript(`create database crowd_${name}`);
    await admin.close();
    const url = cluster.url(`crowd_${name}`);
    const database = connectPostgres(url, { max: 4 });
    await migrate(database);
    const config = readConfig({
      LOG_LEVEL: 'error',
      SANDBOX_SECRET: 'a secret of the crowd alone',
      DATABASE_URL: url,
      ...env,
    });
    const context = { db: database.db, config, now: () => new Date(), log: pino({ level: 'error' }) };
    await prepare(context);
    return { context, close: () => database.close() };
  };

await main();
