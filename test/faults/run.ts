import { type Cluster, findPostgresPrograms, startCluster } from '../postgres-cluster.ts';
import { killInsideHedge } from './hedge-kill.ts';
import { type KillReport, killInside } from './kill-rounds.ts';
import { phaseNames } from './phases.ts';

const KILLS = 20;

type Killing = (cluster: Cluster, kills: number) => Promise<Pick<KillReport, 'kills' | 'rounds' | 'faults'>>;

const killings: readonly [name: string, kill: Killing][] = [
  ...phaseNames.map((phase): [string, Killing] => [phase, (cluster, kills) => killInside(cluster, phase, kills)]),
  ['hedge', killInsideHedge],
];

/** `npm run faults`: the counts of the quality bar; `npm test` runs the same a few times. Optional arguments: how many, and of what. */
async function main(): Promise<void> {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const cluster = await startCluster(programs);
  const [count, ...only] = process.argv.slice(2);
  const kills = Number(count ?? KILLS);
  try {
    for (const [name, kill] of killings.filter((killing) => only.length === 0 || only.includes(killing[0]))) {
      const started = Date.now();
      const report = await kill(cluster, kills);
      const seconds = ((Date.now() - started) / 1000).toFixed(0);
      console.log(
        `${name}: killed ${report.kills} times in ${report.rounds} rounds (${seconds} s), ${report.faults.length} faults`,
      );
      for (const fault of report.faults) console.log(`  ${fault}`);
      if (report.kills < kills || report.faults.length > 0) process.exitCode = 1;
    }
  } finally {
    await cluster.stop();
  }
}

await main();
