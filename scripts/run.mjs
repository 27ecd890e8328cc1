// The entry point of every command. Runs on any Node from 20 (hence plain JavaScript without dependencies), installs
// what the lock file names if needed, and continues on the Node version that the project pins.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const project = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const modules = join(project, 'node_modules');
const node = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/** Collects garbage early: settling a million trades takes 144 MB instead of 333, at the same speed. */
const lean = ['--max-semi-space-size=4', '--heap-growing-percent=20'];

/** What each command runs, and, if it takes arguments, which: `--help` prints them. */
const commands = {
  start: [[...lean, 'scripts/start.ts']],
  dev: [['scripts/dev.ts']],
  'demo:exchange': [['scripts/demo-exchange.ts']],
  'demo:gateways': [['scripts/demo-exchange.ts', 'gateways']],
  test: [['scripts/test.ts', 'short'], 'arguments of vitest'],
  'test:full': [['scripts/test.ts', 'full'], 'arguments of vitest'],
  'test:recorded': [['scripts/test-recorded.ts'], 'FOLDER, with 15m/<coin>.csv.gz and 1m/<coin>.csv.gz in it'],
  check: [['scripts/check.ts'], '[--fix]'],
  build: [['scripts/build.ts']],
  bench: [[...lean, 'bench/run.ts'], 'NAME [SIZE …] [--as-owner] [--pgledger FOLDER]'],
  faults: [['test/faults/run.ts'], '[COUNT] [NAME …]'],
  sessions: [['test/simulated-users/run.ts'], '[FOLDER], with 15m/<coin>.csv.gz and 1m/<coin>.csv.gz in it'],
  fuzz: [['test/fuzz/run.ts'], '[--minutes 5] [--requests N] [--seed N] [--lanes 8]'],
  backtest: [
    ['scripts/backtest.ts'],
    `--strategy session_hold|momentum|mean_reversion [options]
  --data FOLDER        recorded candles, <symbol>.csv.gz each (default: market data of the database)
  --symbols btc,eth    assets, or all (default: btc)
  --from, --to DAY     UTC days of the first and last session (default: the last 90 days with data)
  --amount DOLLARS     split equally among the assets (default: 1000)
  --wallet NAME        primary or profit; decides the minimum amount (default: primary)
  --compounding        reinvest gains
  --period, --atr-multiple, --stop-loss, --take-profit, --trailing-stop NUMBER
  --trades             list the trades, newest first`,
  ],
  'ledger:verify': [['scripts/ledger-verify.ts'], '[--heads FILE]'],
  'seal:rotate': [['scripts/seal-rotate.ts'], '[--lost]'],
  'income:verify': [['scripts/income-verify.ts']],
  'audit:walk': [['scripts/audit-walk.ts']],
  migrate: [['scripts/migrate.ts']],
  'operator:invite': [['scripts/operator-invite.ts'], 'EMAIL NAME ROLE'],
  'key:rotate': [
    ['scripts/key-rotate.ts'],
    `[option]    makes a new version of each key
  --list    changes nothing
  --retire  deletes versions that nothing needs`,
  ],
  'market:fetch': [
    ['scripts/market-fetch.ts'],
    `--exchange kraken --from 2026-01-01 --to 2026-02-01 --step 15m --out recordings
  --exchange  ccxt exchange id
  --from      start, UTC
  --to        end, UTC, exclusive (default: now)
  --step      candle length: 1m or 15m (default: 15m)
  --out       output folder for <coin>.csv.gz; use it as REPLAY_DATA
  --coins     comma-separated, such as btc,eth (default: all 16)`,
  ],
  'venue:report': [['scripts/venue-report.ts']],
  'venue:rehearse': [['scripts/venue-rehearse.ts'], '[--dry | --smallest-order] [--symbol btc]'],
  texts: [['scripts/texts.ts'], '[LANGUAGE]'],
  'rehearse:restore': [
    ['scripts/rehearse-restore.ts'],
    '[SECONDS] | --backup FILE --archive FOLDER --identity FILE [--until INSTANT] [--database NAME] [--user NAME]',
  ],
  'rehearse:failover': [['scripts/rehearse-failover.ts'], '[--nodes 2|3]'],
};

const [name = '', ...rest] = process.argv.slice(2);
const end = (message) => {
  console.error(message);
  process.exit(1);
};
const [command, takes] =
  commands[name] ?? end(`Unknown command ${name}. Available commands: ${Object.keys(commands).join(', ')}.`);
const usage = `Usage: npm ${['start', 'test'].includes(name) ? '' : 'run '}${name}${takes === undefined ? '' : ` -- ${takes}`}`;
if (rest.includes('--help')) {
  console.log(usage);
  process.exit();
}
if (takes === undefined && rest.length > 0) end(`Unexpected argument '${rest[0]}'. ${usage}`);

installIfStale();
const child = spawn(node, [...command, ...rest], {
  cwd: project,
  stdio: 'inherit',
  env: {
    // Half of a start is reading and compiling the sources, so compiled code is cached.
    NODE_COMPILE_CACHE: join(modules, '.cache/tradewind-compiled'),
    // One malloc arena for all threads: separate ones take 15 MB, mostly unused.
    MALLOC_ARENA_MAX: '1',
    ...process.env,
    ...chooseDemo(process.env),
    PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH}`,
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
// npm passes a signal on to its shell, and most shells end without passing it on.
const shell = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === shell || !process.env.npm_lifecycle_event) return;
  clearInterval(watch);
  child.kill('SIGTERM');
}, 250);
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));

/**
 * With the embedded database, the server includes the demo world, except with live prices, because its days of trading
 * cannot be played in real time. Requests are not logged there, or the sign-in details would scroll away.
 */
function chooseDemo({ DATABASE_URL, DEMO, MARKET_FEED = '', LOG_LEVEL }) {
  if (!['start', 'dev'].includes(name)) return {};
  const hasDemo = DEMO ? DEMO === '1' : !DATABASE_URL && !['coingecko', 'ccxt'].includes(MARKET_FEED);
  return hasDemo ? { DEMO: '1', LOG_LEVEL: LOG_LEVEL || 'warn' } : {};
}

function installIfStale() {
  const stamp = join(modules, '.cache', 'tradewind-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(project, 'package-lock.json')))
    .digest('hex');
  if (existsSync(node) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing dependencies …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Not `npm ci`: it refuses a lock file that lacks the binaries of other platforms (docs/decisions/0001-node-as-a-package.md).
  const run = (...args) => {
    const { status } = spawnSync(npm, [...args, '--loglevel=error'], { cwd: project, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  };
  run('install', '--include=dev', '--no-save', '--no-audit', '--no-fund');
  // npm may be set to run no install scripts: then only that of Node's package.
  if (!existsSync(node)) run('rebuild', 'node', '--ignore-scripts=false');
  mkdirSync(join(modules, '.cache'), { recursive: true });
  writeFileSync(stamp, wanted);
}
