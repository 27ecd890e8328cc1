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

const words = process.argv.slice(2);
/** What follows `--pgledger` is its folder. */
const [name = '', ...sizes] = words.filter((word, at) => !word.startsWith('--') && words[at - 1] !== '--pgledger');

/** `npm run bench -- <name>`: each prints a table, writes it to `bench/results/`, and fails if a target is missed. `audit`, `console`, `exchange`, `income`, `live`, `periods`, `scale`, `settle`, `snapshot`, `statement` and `team` take sizes; `lighthouse` takes rounds and `ledger` `--pgledger FOLDER`. */
const benches: Readonly<Record<string, () => Promise<boolean>>> = {
  audit: () => runAuditBench(...sizes.map(Number).slice(0, 1)),
  backtest: runBacktestBench,
  console: () => runConsoleBench(...sizes.map(Number).slice(0, 1)),
  exchange: () => runExchangeBench(...sizes.map(Number).slice(0, 1)),
  income: () => runIncomeBench(sizes.map(Number)),
  ledger: runLedgerBench,
  lighthouse: () => runLighthouseBench(...sizes.map(Number).slice(0, 1)),
  live: () => runLiveBench(...sizes.map(Number).slice(0, 1)),
  periods: () => runPeriodsBench(sizes.map(Number)),
  scale: () => runScaleBench(sizes.map(Number)),
  settle: () => runSettleBench(sizes.map(Number)),
  'sign-in': runSignInBench,
  snapshot: () => runSnapshotBench(...sizes.map(Number).slice(0, 1)),
  start: runStartBench,
  statement: () => runStatementBench(...sizes.map(Number).slice(0, 1)),
  stops: runStopsBench,
  team: () => runTeamBench(...sizes.map(Number).slice(0, 1)),
  trade: runTradeBench,
};

const bench = benches[name];
if (bench === undefined) {
  process.stderr.write(`Which benchmark? There are: ${Object.keys(benches).join(', ')}.\n`);
  process.exitCode = 2;
} else if (!(await bench())) {
  process.exitCode = 1;
}
