import { parseArgs } from 'node:util';
import { BadConfig, type Config } from '#server/config.ts';
import { openVenue, rehearseVenue, VenueFault } from '#server/trading/index.ts';
import { print, runWithConfig } from './run-command.ts';

/**
 * `npm run venue:rehearse`: tests the keys, clock and names of CCXT_EXCHANGE (docs/exchanges.md). `--dry` only reads;
 * without it, the smallest order is bought and sold back, on a sandbox, or with `--smallest-order` for real money.
 */
await runWithConfig(async (config) => {
  const { dry, symbol } = readArguments(config);
  const context = { config, now: () => new Date() };
  const report = await rehearseVenue(context, await openVenue(context), { symbol, isDry: dry });
  print(...report.lines);
  return report.isWhole ? 0 : 1;
}, VenueFault);

function readArguments(config: Config): { readonly dry: boolean; readonly symbol: string } {
  const { values } = parseArgs({
    options: {
      dry: { type: 'boolean', default: false },
      'smallest-order': { type: 'boolean', default: false },
      symbol: { type: 'string', default: 'btc' },
    },
  });
  if (config.venue !== 'ccxt')
    throw new BadConfig('VENUE: set to "paper", which has nothing to rehearse. This rehearsal needs VENUE=ccxt.');
  if (!values.dry && !config.market.exchange.sandbox && !values['smallest-order'])
    throw new BadConfig(
      'CCXT_SANDBOX: not set, so an order is bought with real money. Use --dry, or --smallest-order to do it.',
    );
  return { dry: values.dry, symbol: values.symbol };
}
