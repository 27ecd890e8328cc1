import { pino } from 'pino';
import { toDollars } from '#contract/money.ts';
import { BadConfig, readConfig } from '#server/config.ts';
import { connect, FolderInUse } from '#server/db/connect.ts';
import { reportVenue, VenueFault, type VenueReport } from '#server/trading/index.ts';

/**
 * `npm run venue:report`: what the exchange reports against the ledger's venue account and the hedge. Ends with 1 when
 * they differ, or when it could not ask. PostgreSQL may be in use meanwhile; the embedded database may not.
 */
async function main(): Promise<void> {
  const config = readConfig();
  if (config.venue !== 'ccxt')
    throw new BadConfig('VENUE: only an exchange has balances to compare; this is the paper venue');
  const database = await connect(config);
  try {
    const context = { db: database.jobs, config, now: () => new Date(), log: pino({ level: 'silent' }) };
    const report = await reportVenue(context);
    process.stdout.write(`${describe(report).join('\n')}\n`);
    if (report.findings.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

function describe(report: VenueReport): string[] {
  const { venue, lines, residuals, rejections, findings } = report;
  return [
    `Venue: ${venue.state} since ${venue.since.toISOString()}${venue.reason === null ? '' : ` (${venue.reason})`}`,
    `Ledger: the venue holds ${toDollars(report.ledgerMicros)} dollars, open positions at their cost of ${toDollars(report.openCostMicros)}`,
    ...lines.map(
      (line) => `  ${line.coin}: reported ${line.reported}, booked ${line.booked}, difference ${line.difference}`,
    ),
    ...residuals.map(
      ({ symbol, quantity, valueMicros }) =>
        `Not hedged: ${symbol} ${quantity}, ${valueMicros === null ? 'no price' : `${toDollars(valueMicros)} dollars`}`,
    ),
    ...rejections.map(({ symbol, reason, at }) => `Rejected: ${symbol} at ${at.toISOString()}: ${reason}`),
    ...findings,
    findings.length === 0
      ? 'The exchange has what the ledger says.'
      : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}.`,
  ];
}

try {
  await main();
} catch (error) {
  if (!(error instanceof BadConfig || error instanceof FolderInUse || error instanceof VenueFault)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
