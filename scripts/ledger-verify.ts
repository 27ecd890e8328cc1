import { verifyAudit } from '#server/audit/index.ts';
import { checkFunds } from '#server/funds/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { counted, print, runCommand, withDatabase } from './run-command.ts';

/**
 * `npm run ledger:verify`: recomputes the ledger and the hash chain of the audit log, reconciles deposits and withdrawals with
 * the ledger, and names whatever was changed outside the application. Exit code 1: discrepancies, or it could not run.
 */
await runCommand((config) =>
  withDatabase(config, async ({ db }) => {
    const found = [...(await verifyLedger(db)), ...(await checkFunds(db)), ...(await verifyAudit(db))];
    for (const { subject, message } of found) print(`${subject}: ${message}`);
    print(
      found.length === 0
        ? 'Ledger verified: no discrepancies.'
        : `${counted(found.length, 'discrepancy', 'discrepancies')}.`,
    );
    return found.length === 0 ? 0 : 1;
  }),
);
