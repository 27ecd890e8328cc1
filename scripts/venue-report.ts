import { toDollars } from '#contract/money.ts';
import { BadConfig } from '#server/config.ts';
import { reportVenue, VenueFault, type VenueReport } from '#server/trading/index.ts';
import { counted, print, readDatabase, runWithConfig } from './run-command.ts';

/**
 * `npm run venue:report`: compares the exchange's report with the ledger's venue account and the holdings. Exit code 1:
 * they differ, or the exchange is unavailable.
 */
await runWithConfig(async (config) => {
  if (config.venue !== 'ccxt')
    throw new BadConfig('VENUE: set to "paper", which has no balances to compare. This report needs VENUE=ccxt.');
  const report = await readDatabase(config, (context) => reportVenue(context));
  print(...describe(report));
  return report.findings.length === 0 ? 0 : 1;
}, VenueFault);

function describe({
  venue,
  ledgerMicros,
  openCostMicros,
  lines,
  residuals,
  halted,
  openEntries,
  findings,
}: VenueReport): string[] {
  return [
    `Venue: ${venue.state} since ${venue.since.toISOString()}${venue.reason === null ? '' : ` (${venue.reason})`}`,
    `Ledger: venue balance $${toDollars(ledgerMicros)}, open positions at cost $${toDollars(openCostMicros)}`,
    ...lines.map(
      ({ coin, reported, booked, difference }) =>
        `  ${coin}: reported ${reported}, ledger ${booked}, difference ${difference}`,
    ),
    ...residuals.map(
      ({ symbol, quantity, valueMicros }) =>
        `Residual: ${symbol} ${quantity}, ${valueMicros === null ? 'no price' : `$${toDollars(valueMicros)}`}`,
    ),
    ...halted.map(({ symbol, reason, since }) => `Halted: ${symbol} since ${since.toISOString()}: ${reason}`),
    `Statement: ${counted(Number(openEntries), 'entry', 'entries')} open`,
    ...findings,
    findings.length === 0
      ? 'No discrepancies between the exchange and the ledger.'
      : `${counted(findings.length, 'discrepancy', 'discrepancies')}.`,
  ];
}
