import { inSnapshot } from '#server/db/tx.ts';
import { findDiscrepancy, type IncomeCheck, listAllChecks } from '#server/income/index.ts';
import { counted, print, readDatabase, runWithConfig } from './run-command.ts';

/**
 * `npm run income:verify`: reconciles every bonus run, week and month ever paid with trades, income lines and the
 * ledger, and prints each figure. Exit code 1: a mismatch, or the check could not run.
 */
await runWithConfig((config) =>
  readDatabase(config, async ({ db }) => {
    const checks = await inSnapshot(db, listAllChecks);
    const discrepancies = checks.flatMap((check) => findDiscrepancy(check) ?? []);
    print(...table(checks), ...discrepancies.map(({ subject, message }) => `${subject}: ${message}`));
    const isClean = discrepancies.length === 0;
    const total = counted(checks.length, 'figure', 'figures');
    print(isClean ? `Reconciliation passed: ${total}.` : `Reconciliation failed: ${discrepancies.length} of ${total}.`);
    return isClean ? 0 : 1;
  }),
);

function table(checks: readonly IncomeCheck[]): string[] {
  const rows = checks.map((check) => [
    check.subject,
    check.what,
    String(check.found),
    `${check.isLimit ? 'at most ' : ''}${check.expected}`,
    findDiscrepancy(check) === undefined ? '' : 'MISMATCH',
  ]);
  const all = [['subject', 'figure', 'actual', 'expected', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 2 || column === 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return all.map((row) => row.map(pad).join('  ').trimEnd());
}
