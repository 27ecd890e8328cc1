import { findPostgresPrograms, startCluster } from '../postgres-cluster.ts';
import { killInside } from './kill-rounds.ts';

const KILLS = 20;

/** `npm run faults`: the counts of the quality bar; `npm test` runs the same a few times. Optional argument: how many. */
async function main(): Promise<void> {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const cluster = await startCluster(programs);
  const kills = Number(process.argv[2] ?? KILLS);
  try {
    for (const phase of ['opening', 'settlement', 'tick', 'stops', 'plans'] as const) {
      const started = Date.now();
      const report = await killInside(cluster, phase, kills);
      const seconds = ((Date.now() - started) / 1000).toFixed(0);
      console.log(
        `${phase}: killed ${report.kills} times in ${report.rounds} sessions (${seconds} s), ${report.faults.length} faults`,
      );
      for (const fault of report.faults) console.log(`  ${fault}`);
      if (report.kills < kills || report.faults.length > 0) process.exitCode = 1;
    }
  } finally {
    await cluster.stop();
  }
}

await main();
