import { rehearseRestore } from '#test/faults/restore.ts';
import { findPostgresPrograms } from '#test/postgres-cluster.ts';

const SECONDS = 20;

/**
 * `npm run rehearse:restore [seconds]`: backup, power cut and restore to a point in time, on a temporary PostgreSQL under
 * load. Ends with 1 when anything acknowledged before that point is missing, anything later is there, or the books do not
 * verify.
 */
async function main(): Promise<void> {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const seconds = Number(process.argv[2] ?? SECONDS);
  const { before, after, restoreMs, faults } = await rehearseRestore(programs, seconds * 1000);
  for (const fault of faults) console.log(fault);
  console.log(
    `${before} trades acknowledged before the point, ${after} asked for after it; restored in ${(restoreMs / 1000).toFixed(1)} s, ${faults.length} faults`,
  );
  if (faults.length > 0) process.exitCode = 1;
}

await main();
