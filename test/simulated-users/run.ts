import { parseArgs } from 'node:util';
import { BadConfig } from '#server/config.ts';
import { type Cluster, startCluster } from '#test/database/postgres-cluster.ts';
import { findMissing, openMinutes, openQuarters } from '#test/recorded/recordings.ts';
import { runCommand } from '../../scripts/run-command.ts';
import { openFaultWorld } from '../faults/fault-world.ts';
import { type OpenWorld, playSessions } from './play-sessions.ts';

/**
 * `npm run sessions [-- FOLDER]`: sessions of minutes (FOLDER/1m, or generated ones) and twenty of quarters of an hour
 * (FOLDER/15m) with a thousand members, on PostgreSQL, with an independent calculation of every result.
 */
async function main(): Promise<0> {
  const [given, ...rest] = parseArgs({ allowPositionals: true }).positionals;
  if (rest.length > 0) throw new BadConfig(`Unexpected argument '${rest[0]}'`);
  const missing = given && findMissing(given);
  if (missing) throw new BadConfig(missing);
  const recordings = { minutes: openMinutes(given), quarters: openQuarters(given) };
  const cluster = await startCluster();
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
  return 0;
}

const MAX_SESSIONS = 20;

const openOn =
  (cluster: Cluster, name: string): OpenWorld =>
  async (env) => {
    const { context, database } = await openFaultWorld(cluster, `users_${name}`, env, 4);
    return { context, close: () => database.close() };
  };

await runCommand(main);
