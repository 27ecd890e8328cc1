import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BadConfig } from '#server/config.ts';
import { listDiscrepancies, rehearseRestore } from '#test/faults/restore.ts';
import { restoreBackup } from '#test/faults/restore-backup.ts';
import { counted, print, runCommand } from './run-command.ts';

const SECONDS = '20';

/**
 * `npm run rehearse:restore -- [seconds]`: encrypted backup, power failure and point-in-time recovery on a temporary
 * PostgreSQL under load. Exit code 1: anything acknowledged before the recovery point is missing, anything later
 * exists, or the ledger does not verify.
 *
 * `npm run rehearse:restore -- --backup FILE --archive FOLDER --identity FILE [--until INSTANT] [--database NAME]
 * [--user NAME]` restores a backup of `deploy/backup` with the WAL archived after it, and verifies its ledger. Exit
 * code 1: discrepancies, or the end of the archive is not reached.
 */
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      backup: { type: 'string' },
      archive: { type: 'string' },
      identity: { type: 'string' },
      until: { type: 'string' },
      database: { type: 'string', default: 'tradewind' },
      user: { type: 'string', default: 'tradewind' },
    },
  });
  const { backup, archive, identity, until, database, user } = values;
  const isRestore = [backup, archive, identity, until].some((option) => option !== undefined);
  if (positionals.length > (isRestore ? 0 : 1)) throw new BadConfig(`Unexpected argument '${positionals.at(-1)}'`);
  if (!isRestore) return rehearse(readSeconds(positionals[0] ?? SECONDS));
  if (backup === undefined || archive === undefined || identity === undefined)
    throw new BadConfig('A backup needs --backup, --archive and --identity');
  // PostgreSQL would say that the backup has no checkpoint.
  if (!existsSync(archive)) throw new BadConfig(`--archive: no folder ${archive}`);
  const from = { file: resolve(backup), archive: resolve(archive), identity: resolve(identity), database, user };
  const point = until === undefined ? {} : { until: readInstant(until) };
  const { faults, restoreMs, lastCommitAt } = await restoreBackup({ ...from, ...point }, async (restored) => ({
    ...restored,
    faults: [...(restored.gap === undefined ? [] : [restored.gap]), ...(await listDiscrepancies(restored.db))],
  }));
  print(
    ...faults,
    `Restored in ${inSeconds(restoreMs)}, to the commit at ${lastCommitAt?.toISOString() ?? 'the end of the backup'}. ${counted(faults.length, 'discrepancy', 'discrepancies')}.`,
  );
  return faults.length === 0 ? 0 : 1;
});

async function rehearse(seconds: number): Promise<0 | 1> {
  const { before, after, restoreMs, faults } = await rehearseRestore(seconds * 1000);
  print(
    ...faults,
    `Trades acknowledged before the recovery point: ${before}. Requested after it: ${after}. Restored in ${inSeconds(restoreMs)}. Faults: ${faults.length}.`,
  );
  return faults.length === 0 ? 0 : 1;
}

function readSeconds(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new BadConfig('Seconds are a whole number from 1, such as 20');
  return Number(text);
}

function readInstant(text: string): Date {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) throw new BadConfig('--until is an instant, such as 2026-11-21T14:05:00Z');
  return instant;
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
