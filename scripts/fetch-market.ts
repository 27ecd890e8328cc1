import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { symbols } from '#contract/rules.ts';
import { BadConfig, readConfig } from '#server/config.ts';
import { recordExchange, SourceAway } from '#server/market/index.ts';
import { describeRefusal, nameOption } from './run-command.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Output = { readonly stdout: Lines; readonly stderr: Lines };
type Lines = { readonly write: (line: string) => unknown };

const steps: Readonly<Record<string, number>> = { '1m': 60, '15m': 900 };

/**
 * `npm run market:fetch`: records a replay folder from an exchange; a repeated run resumes an interrupted one. Exit
 * code 1: a coin's file could not be written.
 *
 * @returns the exit code
 */
export async function fetchMarket(args: string[], env: Environment, output: Output): Promise<0 | 1> {
  try {
    const { config, order } = readOrder(args, env);
    const record = () => recordExchange(config, order, (line) => output.stdout.write(`${line}\n`));
    return (await nameOption('CCXT_EXCHANGE', '--exchange', record)) ? 0 : 1;
  } catch (error) {
    const refusal = describeRefusal(error, [SourceAway]);
    const advice = error instanceof SourceAway ? '\nProgress is saved. Run the command again to continue.' : '';
    output.stderr.write(`${refusal}${advice}\n`);
    return 1;
  }
}

function readOrder(args: string[], env: Environment) {
  const text = { type: 'string' } as const;
  const options = { exchange: text, from: text, to: text, step: text, out: text, coins: text };
  const given = parseArgs({ args, options }).values;
  const stepSeconds = steps[given.step ?? '15m'];
  if (stepSeconds === undefined) throw new BadConfig('--step: must be 1m or 15m');
  if (given.exchange === undefined) throw new BadConfig('--exchange: required');
  if (given.out === undefined) throw new BadConfig('--out: required');
  const coins = given.coins?.split(',') ?? symbols;
  const unknown = coins.find((coin) => !symbols.includes(coin));
  if (unknown !== undefined) throw new BadConfig(`--coins: unknown coin ${unknown}; available: ${symbols.join(', ')}`);
  const stepMs = stepSeconds * 1000;
  const fromMs = Math.ceil(readInstant('--from', given.from) / stepMs) * stepMs;
  // Closed candles only: one that is still forming would be replayed as final.
  const endMs = given.to === undefined ? Date.now() : Math.min(readInstant('--to', given.to), Date.now());
  const toMs = Math.floor(endMs / stepMs) * stepMs;
  if (toMs - fromMs < 2 * stepMs) throw new BadConfig('--to: a recording needs at least two closed candles');
  return {
    config: { ...readConfig(env).market.exchange, id: given.exchange },
    order: { symbols: coins, stepSeconds, fromMs, toMs, folder: resolve(given.out) },
  };
}

function readInstant(name: string, value: string | undefined): number {
  const ms = Date.parse(value ?? '');
  if (Number.isNaN(ms))
    throw new BadConfig(`${name}: must be a date or time, such as 2026-01-01 or 2026-01-01T12:00:00Z`);
  return ms;
}
