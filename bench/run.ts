import { runLedgerBench } from './ledger.ts';
import { runTradeBench } from './trade.ts';

/** `npm run bench -- <name>`: each prints a table, keeps it in `bench/results/`, and says whether every bar is met. */
const benches: Readonly<Record<string, () => Promise<boolean>>> = {
  ledger: runLedgerBench,
  trade: runTradeBench,
};

const [name = ''] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  process.stderr.write(`Which benchmark? There are: ${Object.keys(benches).join(', ')}.\n`);
  process.exitCode = 2;
} else if (!(await bench())) {
  process.exitCode = 1;
}
