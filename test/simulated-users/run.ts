import { openFaultWorld } from '../faults/fault-world.ts';
import { type Cluster, findPostgresPrograms, startCluster } from '../postgres-cluster.ts';
import { openMinutes, openQuarters } from '../recordings.ts';
import { type OpenWorld, playSessions } from './play-sessions.ts';

/**
 * `npm run sessions [-- FOLDER]`: sessions of minutes (FOLDER/1m, or generated ones) and twenty of quarters of an hour
 * (FOLDER/15m) with a thousand members, on PostgreSQL, with an independent calculation of every result.
 */
async function main(): Promise<void> {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const [given] = process.argv.slice(2);
  const recordings = { minutes: openMinutes(given), quarters: openQuarters(given) };
  const cluster = await startCluster(programs);
  try {
    for (const [name, recording] of Object.entries(recordings)) {
      const started = Date.now();
      const opens = recording.opens.slice(0, MAX_SESSIONS);
      const trades = await playSessions(openOn(cluster, name), recording, opens);
      const seconds = ((Date.now() - started) / 1000).toFixed(0);
      console.log(`${name}: ${opens.length} sessions, ${trades} trades settled as calculated (${seconds} s)`);
    }
  } finally {
    await cluster.stop();
  }
}

const MAX_SESSIONS = 20;

const openOn =
  (cluster: Cluster, name: string): OpenWorld =>
  async (env) => {
    const { context, database } = await openFaultWorld(cluster, `users_${name}`, env, 4);
    return { context, close: () => database.close() };
  };

await main();
