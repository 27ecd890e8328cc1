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

const commands = {
  start: [...lean, 'scripts/start.ts'],
  dev: ['scripts/dev.ts'],
  'demo:exchange': ['scripts/demo-exchange.ts'],
  'demo:gateways': ['scripts/demo-exchange.ts', 'gateways'],
  test: ['scripts/test.ts', 'short'],
  'test:full': ['scripts/test.ts', 'full'],
  'test:recorded': ['scripts/test-recorded.ts'],
  check: ['scripts/check.ts'],
  build: ['scripts/build.ts'],
  bench: [...lean, 'bench/run.ts'],
  faults: ['test/faults/run.ts'],
  sessions: ['test/simulated-users/run.ts'],
  fuzz: ['test/fuzz/run.ts'],
  backtest: ['scripts/backtest.ts'],
  'ledger:verify': ['scripts/ledger-verify.ts'],
  'seal:rotate': ['scripts/seal-rotate.ts'],
  'income:verify': ['scripts/income-verify.ts'],
  'audit:walk': ['scripts/audit-walk.ts'],
  migrate: ['scripts/migrate.ts'],
  'operator:invite': ['scripts/operator-invite.ts'],
  'key:rotate': ['scripts/key-rotate.ts'],
  'market:fetch': ['scripts/market-fetch.ts'],
  'venue:report': ['scripts/venue-report.ts'],
  'venue:rehearse': ['scripts/venue-rehearse.ts'],
  texts: ['scripts/texts.ts'],
  'rehearse:restore': ['scripts/rehearse-restore.ts'],
  'rehearse:failover': ['scripts/rehearse-failover.ts'],
};

const [name = '', ...rest] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) {
  console.error(`Unknown command ${name}. Available commands: ${Object.keys(commands).join(', ')}.`);
  process.exit(2);
}

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
  const result = spawnSync(npm, ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: project,
    stdio: 'inherit',
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
  mkdirSync(join(modules, '.cache'), { recursive: true });
  writeFileSync(stamp, wanted);
}
