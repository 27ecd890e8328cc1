import { parseArgs } from 'node:util';
import { BadConfig } from '#server/config.ts';
import { runCommand } from '../scripts/run-command.ts';
import { runAuditBench } from './audit.ts';
import { runBacktestBench } from './backtest.ts';
import { runConsoleBench } from './console.ts';
import { runExchangeBench } from './exchange.ts';
import { runIncomeBench } from './income.ts';
import { runLedgerBench } from './ledger.ts';
import { runLighthouseBench } from './lighthouse.ts';
import { runLiveBench } from './live.ts';
import { runPeriodsBench } from './periods.ts';
import { runScaleBench } from './scale.ts';
import { runSettleBench } from './settle.ts';
import { runSignInBench } from './sign-in.ts';
import { runSnapshotBench } from './snapshot.ts';
import { runStartBench } from './start.ts';
import { runStatementBench } from './statement.ts';
import { runStopsBench } from './stops.ts';
import { runTeamBench } from './team.ts';
import { runTradeBench } from './trade.ts';

/** The sizes of those that measure how a cost grows. */
const STEPS = [10_000, 100_000, 1_000_000] as const;

type Bench = {
  readonly run: (sizes: readonly number[]) => Promise<boolean>;
  /** How many sizes, or which. `lighthouse` takes its rounds. */
  readonly takes: number | readonly number[];
};

/** `npm run bench -- <name>`: each prints a table, writes it to `bench/results/`, and fails if a target is missed. */
const benches: Readonly<Record<string, Bench>> = {
  audit: { run: ([entries]) => runAuditBench(entries), takes: 1 },
  backtest: { run: runBacktestBench, takes: 0 },
  console: { run: ([members]) => runConsoleBench(members), takes: 1 },
  exchange: { run: ([trades]) => runExchangeBench(trades), takes: 1 },
  income: { run: runIncomeBench, takes: STEPS },
  ledger: { run: runLedgerBench, takes: 0 },
  lighthouse: { run: ([rounds]) => runLighthouseBench(rounds), takes: 1 },
  live: { run: ([members]) => runLiveBench(members), takes: 1 },
  periods: { run: runPeriodsBench, takes: STEPS },
  scale: { run: runScaleBench, takes: Number.POSITIVE_INFINITY },
  settle: { run: runSettleBench, takes: STEPS },
  'sign-in': { run: runSignInBench, takes: 0 },
  snapshot: { run: ([members]) => runSnapshotBench(members), takes: 1 },
  start: { run: runStartBench, takes: 0 },
  statement: { run: ([lines]) => runStatementBench(lines), takes: 1 },
  stops: { run: runStopsBench, takes: 0 },
  team: { run: ([members]) => runTeamBench(members), takes: 1 },
  trade: { run: runTradeBench, takes: 0 },
};

await runCommand(async () => {
  const { positionals } = parseArgs({
    allowPositionals: true,
    // bench/world.ts and bench/pgledger.ts read them.
    options: { 'as-owner': { type: 'boolean' }, pgledger: { type: 'string' } },
  });
  const [name = '', ...words] = positionals;
  const bench = benches[name];
  if (bench === undefined) throw new BadConfig(`Which benchmark? There are: ${Object.keys(benches).join(', ')}.`);
  return (await bench.run(readSizes(words, bench))) ? 0 : 1;
});

function readSizes(words: readonly string[], { takes }: Bench): number[] {
  const most = typeof takes === 'number' ? takes : takes.length;
  for (const [at, word] of words.entries()) {
    if (at >= most) throw new BadConfig(`Unexpected argument '${word}'`);
    if (!/^[1-9]\d{0,9}$/.test(word)) throw new BadConfig(`SIZE: ${word} is not a whole number`);
    if (typeof takes !== 'number' && !takes.includes(Number(word)))
      throw new BadConfig(`SIZE: must be one of ${takes.join(', ')}`);
  }
  return words.map(Number);
}
