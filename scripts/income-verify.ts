import { BadConfig, readConfig } from '#server/config.ts';
import { connect, FolderInUse } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type BookCheck, bookFault, listAllChecks } from '#server/income/index.ts';

/**
 * `npm run income:verify`: checks every bonus run, week and month ever paid against trades, lines and ledger, from
 * scratch, and prints a table of it. Ends with 1 when a figure is wrong, or could not be looked at. PostgreSQL may be in use
 * meanwhile; the embedded database may not.
 */
async function main(): Promise<void> {
  const database = await connect(readConfig());
  try {
    const checks = await inSnapshot(database.jobs, listAllChecks);
    const faults = checks.flatMap((check) => bookFault(check) ?? []);
    process.stdout.write(table(checks));
    for (const { subject, message } of faults) process.stdout.write(`${subject}: ${message}\n`);
    process.stdout.write(
      faults.length === 0
        ? `The books hold: ${checks.length} figures.\n`
        : `${faults.length} of ${checks.length} figures ${faults.length === 1 ? 'is' : 'are'} wrong.\n`,
    );
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

const heads = ['where', 'what', 'found', 'should be', ''];

function table(checks: readonly BookCheck[]): string {
  const rows = checks.map((check) => [
    check.subject,
    check.what,
    String(check.found),
    `${check.isLimit ? 'at most ' : ''}${check.expected}`,
    bookFault(check) === undefined ? '' : 'WRONG',
  ]);
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `${row
      .map((cell, column) =>
        column === 2 || column === 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()}\n`;
  return [heads, ...rows].map(line).join('');
}

try {
  await main();
} catch (error) {
  if (!(error instanceof BadConfig || error instanceof FolderInUse)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
