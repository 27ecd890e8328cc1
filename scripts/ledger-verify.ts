import { BadConfig, readConfig } from '#server/config.ts';
import { connect, FolderInUse } from '#server/db/connect.ts';
import { checkFunds } from '#server/funds/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';

/**
 * `npm run ledger:verify`: recomputes the ledger, compares deposits and withdrawals with it, and names whatever was
 * changed behind the application's back. Ends with 1 when it found something, or could not look. PostgreSQL may be in use meanwhile; the embedded database may not.
 */
async function main(): Promise<void> {
  const database = await connect(readConfig());
  try {
    const findings = [...(await verifyLedger(database.db)), ...(await checkFunds(database.db))];
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
