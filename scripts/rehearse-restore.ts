import { rehearseRestore } from '#test/faults/restore.ts';
import { findPostgresPrograms } from '#test/postgres-cluster.ts';

const SECONDS = 20;

/**
 * `npm run rehearse:restore [seconds]`: backup, power cut and point-in-time recovery on a temporary PostgreSQL under load.
 * Exit code 1: anything acknowledged before the recovery point is missing, anything later exists, or the ledger does not
 * verify.
 */
async function main(): Promise<void> {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const seconds = Number(process.argv[2] ?? SECONDS);
  const { before, after, restoreMs, faults } = await rehearseRestore(programs, seconds * 1000);
  for (const fault of faults) console.log(fault);
  console.log(
    `Trades acknowledged before the recovery point: ${before}. Requested after it: ${after}. Restored in ${(restoreMs / 1000).toFixed(1)} s. Faults: ${faults.length}.`,
  );
  if (faults.length > 0) process.exitCode = 1;
}

await main();
