import { verifyAudit } from '#server/audit/index.ts';
import { BadConfig, readConfig } from '#server/config.ts';
import { connect, FolderInUse } from '#server/db/connect.ts';
import { checkFunds } from '#server/funds/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';

/**
 * `npm run ledger:verify`: recomputes the ledger and the chain of the audit log, compares deposits and withdrawals with the
 * books, and names whatever was changed behind the application's back. Ends with 1 when it found something, or could not look. PostgreSQL may be in use meanwhile; the embedded database may not.
 */
async function main(): Promise<void> {
  const database = await connect(readConfig());
  try {
    const { jobs: db } = database;
    const findings = [...(await verifyLedger(db)), ...(await checkFunds(db)), ...(await verifyAudit(db))];
    for (const finding of findings) process.stdout.write(`${finding.subject}: ${finding.message}\n`);
    process.stdout.write(
      findings.length === 0
        ? 'The ledger verifies.\n'
        : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}.\n`,
    );
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof BadConfig || error instanceof FolderInUse)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
