import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#server/config.ts';
import { figures } from '#server/metrics/figures.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';

const PROJECT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

type Service = {
  image: string;
  user?: string;
  environment?: Record<string, string>;
  env_file?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  ports?: string[];
  stop_grace_period?: string;
  depends_on?: string[] | Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
};
const compose: { services: Record<string, Service> } = parse(read('deploy/compose.yml'), { merge: true });
const { worker, 'web-1': web, database, proxy, roles, migrate } = compose.services as Record<string, Service>;
const settings = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
const dockerfile = read('deploy/Dockerfile');
/** Of a settings file, without comments. */
const readEnv = (path: string): Record<string, string> =>
  Object.fromEntries([...read(path).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
/** `docker compose` would fill in the value. */
const filled = (value: string) => value.replaceAll(/\$\{[A-Z_]+:\?[^}]*\}/g, 'filled');
const filledAll = (environment: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]));

test('every setting of the containers is listed in .env.example and accepted by the server', () => {
  for (const { environment = {} } of [worker as Service, web as Service]) {
    expect(Object.keys(environment).filter((name) => !settings.includes(name))).toEqual([]);
    expect(readConfig(filledAll(environment)).metrics).toEqual({ host: '0.0.0.0', port: 9464 });
  }
  expect(readConfig(filledAll(worker?.environment)).jobs).toBe(true);
  expect(readConfig(filledAll(web?.environment)).jobs).toBe(false);
});

test('with .env.example as the common settings, processes are reachable and write only where they may', () => {
  const image = Object.fromEntries(
    [...dockerfile.matchAll(/ (HOST|PORT|DATA_DIR)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  for (const [kind, { environment = {} }] of Object.entries({ web, worker } as Record<string, Service>)) {
    const files = { ...readEnv('.env.example'), ...readEnv(`deploy/${kind}.env.example`) };
    const env = { ...image, ...files, ...filledAll(environment) };
    expect(readConfig(env)).toMatchObject({ host: '0.0.0.0', dataDir: '/data' });
  }
  // Variables that systemd reads from a file override those of the unit, but not its command.
  const unit = read('deploy/tradewind@.service');
  const folder = /^StateDirectory=(.*)$/m.exec(unit)?.[1];
  expect(unit).toMatch(new RegExp(`^ExecStart=/usr/bin/env DATA_DIR=/var/lib/${folder} `, 'm'));
});

test('each web process is known to the proxy, which asks it whether it is ready, and enforces its share of the rate limits', () => {
  const names = Object.keys(compose.services).filter((name) => name.startsWith('web'));
  for (const name of names) expect(compose.services[name]).toEqual(web);
  expect(web?.environment?.API_PROCESSES).toBe(String(names.length));
  expect(proxy?.depends_on).toEqual(names);
  const caddyfile = read('deploy/Caddyfile');
  const asked = [...caddyfile.matchAll(/reverse_proxy (?:@none )?(web.*?)(?: \{)?$/gm)].map(([, all]) => all);
  expect(asked).toEqual(Array(2).fill(names.map((name) => `${name}:8080`).join(' ')));
  const [, path = '', everyMs] = /health_uri (\S+)\s+health_interval (\d+)ms/.exec(caddyfile) ?? [];
  expect(read('server/http/health.ts')).toContain(`get('${path}'`);
  // It still serves while the proxy learns that it stops.
  expect(readConfig(filledAll(web?.environment)).drainMs).toBeGreaterThan(2 * Number(everyMs));
});

test('no secret is in the files: each comes from a file beside them, and a missing one is an error', () => {
  const text = read('deploy/compose.yml');
  expect(text).not.toMatch(/(PASSWORD|SECRET|KEY)\w*: (?!\$\{)/);
  expect(worker?.environment?.DATABASE_URL).toMatch(/\/\/tradewind_app:\$\{APP_PASSWORD:\?[^}]+\}@database:/);
  expect(database?.environment?.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
  for (const [name] of text.matchAll(/\$\{[^}]*\}/g)) expect(name).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
  const arguments_ = [...dockerfile.matchAll(/^(?:ENV|ARG) (.*)$/gm)].map(([, line]) => line ?? '');
  expect(arguments_.filter((line) => /PASSWORD|SECRET|KEY|TOKEN|_URL/.test(line))).toEqual([]);
});

const WORKER_ONLY = [
  'BTCPAY_PAYOUT_KEY',
  'NOWPAYMENTS_PASSWORD',
  'NOWPAYMENTS_TOTP_SECRET',
  'CCXT_API_KEY',
  'CCXT_SECRET',
  'CCXT_PASSWORD',
];
const isOfWorker = (name: string) => WORKER_ONLY.includes(name);

test('payout and trading credentials go to the worker and to no other process', () => {
  const [forWeb, forWorker] = [readEnv('deploy/web.env.example'), readEnv('deploy/worker.env.example')];
  expect(web?.env_file).toEqual(['settings.env', 'web.env']);
  expect(worker?.env_file).toEqual(['settings.env', 'worker.env']);
  for (const [name, { environment = {}, env_file = [] }] of Object.entries(compose.services)) {
    if (name === 'worker') continue;
    expect([name, Object.keys(environment).filter(isOfWorker)]).toEqual([name, []]);
    expect([name, env_file.filter((file) => file.startsWith('worker') || file === '.env')]).toEqual([name, []]);
  }
  expect(Object.keys(forWeb).filter(isOfWorker)).toEqual([]);
  expect(Object.keys(forWorker)).toEqual(expect.arrayContaining(WORKER_ONLY));
  expect([...Object.keys(forWeb), ...Object.keys(forWorker)].filter((name) => !settings.includes(name))).toEqual([]);
  const unit = read('deploy/tradewind@.service');
  expect([...unit.matchAll(/^EnvironmentFile=(.*)$/gm)].map(([, file]) => file)).toEqual([
    '/etc/tradewind/settings.env',
    '/etc/tradewind/%i.env',
  ]);
});

test('the passwords in the web settings are those of its own database roles', () => {
  const values = Object.entries(web?.environment ?? {}).filter(([, value]) => value.includes('${'));
  expect(values.map(([name]) => name)).toEqual(['DATABASE_URL', 'DATABASE_READER_URL']);
});

test('in live mode a web process accepts the shared settings and refuses the worker’s own', () => {
  const live = {
    MODE: 'live',
    PUBLIC_URL: 'https://trade.example',
    DATABASE_URL: 'postgresql://database/tradewind?sslmode=verify-full',
    SMTP_URL: 'smtps://mail.example',
    MAIL_FROM: 'no-reply@trade.example',
    SUPPORT_EMAIL: 'support@trade.example',
    LEGAL_CONTACT_EMAIL: 'legal@law.example',
    LEGAL_ENTITY: 'Example Ltd',
    BLOCKED_COUNTRIES: '+1',
    MARKET_FEED: 'ccxt',
    VENUE: 'ccxt',
    CCXT_EXCHANGE: 'binance',
    PAYMENTS: 'btcpay',
    BTCPAY_URL: 'https://pay.example',
    BTCPAY_STORE_ID: 'AbCdEfGhIjKlMn',
    BTCPAY_API_KEY: 'makes-invoices',
    BTCPAY_WEBHOOK_SECRET: 'signs-webhooks-01',
  };
  const keys = { BTCPAY_PAYOUT_KEY: 'pays-out-01', CCXT_API_KEY: 'trades-01', CCXT_SECRET: 'trades-02' };
  expect(readConfig({ ...live, ...readEnv('deploy/web.env.example') })).toMatchObject({ jobs: false });
  expect(readConfig({ ...live, ...readEnv('deploy/worker.env.example'), ...keys })).toMatchObject({ jobs: true });
  for (const name of WORKER_ONLY)
    expect(() => readConfig({ ...live, ...readEnv('deploy/web.env.example'), [name]: 'GIVENTOTHEWEBSERVER' })).toThrow(
      name,
    );
});

test('no serving process has a password that can change the schema: only those that run before it, and exit', () => {
  const holders = (name: string) =>
    Object.entries(compose.services)
      .filter(([, { environment = {} }]) => Object.values(environment).some((value) => value.includes(`{${name}:`)))
      .map(([service]) => service);
  expect(holders('POSTGRES_PASSWORD')).toEqual(['database', 'roles', 'backup']);
  expect(holders('MIGRATOR_PASSWORD')).toEqual(['roles', 'migrate']);
  expect(migrate).toMatchObject({
    environment: { DATABASE_MIGRATE_URL: expect.stringMatching(/\/\/tradewind_migrator:\$\{MIGRATOR_PASSWORD:/) },
    depends_on: { roles: { condition: 'service_completed_successfully' } },
  });
  expect(migrate?.env_file).toBeUndefined();
  expect(Object.keys(migrate?.environment ?? {})).toEqual(['DATABASE_MIGRATE_URL']);
  expect(roles?.depends_on).toEqual({ database: { condition: 'service_healthy' } });
  expect(worker?.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
  const known = [...read('deploy/roles.sql').matchAll(/^\\getenv \w+ ([A-Z_]+)$/gm)].map(([, name]) => name);
  expect(Object.keys(roles?.environment ?? {}).filter((name) => !name.startsWith('PG'))).toEqual(known);
  expect(read('deploy/tradewind@.service')).toMatch(/^Requires=tradewind-migrate\.service$/m);
  expect(read('deploy/tradewind-migrate.service')).toMatch(/^EnvironmentFile=\/etc\/tradewind\/migrate\.env$/m);
});

test('processes write only their data, gain no privileges, and get the time they need to stop', () => {
  for (const service of [worker, web, migrate] as Service[]) {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.user).toBeUndefined();
  }
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('\nRUN '));
  const unit = read('deploy/tradewind@.service');
  expect(unit).toMatch(/^User=tradewind-%i$/m);
  const patienceSeconds = Number(/STOP_MS = (\d+)_000;/.exec(read('server/main.ts'))?.[1]);
  expect(patienceSeconds).toBe(20);
  for (const given of [worker?.stop_grace_period, web?.stop_grace_period, /^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]])
    expect(Number.parseInt(given ?? '', 10)).toBeGreaterThan(patienceSeconds);
});

test('npm run in a container installs nothing: the image is complete', () => {
  const folder = mkdtempSync(join(scratchFolder(), 'tradewind-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['scripts', 'node_modules/.bin']) mkdirSync(join(folder, path), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'));
  for (const path of ['package-lock.json', 'scripts/run.mjs']) copyFileSync(join(PROJECT, path), join(folder, path));
  writeFileSync(join(folder, 'scripts/migrate.ts'), "console.log('migrated');");
  const [, command = 'false'] = /^RUN (.*tradewind-lock)$/m.exec(dockerfile) ?? [];
  execFileSync('sh', ['-c', command], { cwd: folder });
  const ran = execFileSync(process.execPath, ['scripts/run.mjs', 'migrate'], { cwd: folder, encoding: 'utf8' });
  expect(ran).toBe('migrated\n');
});

test('outside access is limited to the proxy’s ports: no database, no metrics', () => {
  const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
  expect(open.map(([name]) => name)).toEqual(['proxy']);
  expect(proxy?.ports).toEqual(['80:80', '443:443']);
});

test('health checks use an existing path, and services that need the schema wait for the worker', () => {
  const health = read('server/http/health.ts');
  const asked = /^HEALTHCHECK [\s\S]*?fetch\(`http:\/\/127\.0\.0\.1:\$\{process\.env\.PORT\}(\/\w+)`\)/m.exec(
    dockerfile,
  )?.[1];
  expect(['/healthz', '/readyz']).toContain(asked);
  expect(health).toContain(`get('${asked}'`);
  expect(web?.depends_on).toMatchObject({ worker: { condition: 'service_healthy' } });
  expect(worker?.depends_on).toMatchObject({ database: { condition: 'service_healthy' } });
  // While it fills a new volume, PostgreSQL answers at its socket only, and nobody can connect.
  expect(database?.healthcheck?.test.join(' ')).toMatch(/^CMD pg_isready -h /);
});

test('the image has the project’s Node version, and every way to start uses the same flags', () => {
  const { dependencies } = JSON.parse(read('package.json'));
  const images = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version);
  expect(images).toEqual([dependencies.node, dependencies.node]);
  const lean = [...(/const lean = \[(.*)\]/.exec(read('scripts/run.mjs'))?.[1] ?? '').matchAll(/'([^']+)'/g)];
  const flags = lean.map(([, flag]) => flag);
  expect(flags.length).toBeGreaterThan(0);
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');
  expect(command).toEqual(['node_modules/.bin/node', ...flags, 'server/main.ts']);
  expect(read('deploy/tradewind@.service')).toContain(`node_modules/.bin/node ${flags.join(' ')} server/main.ts`);
  // And the same limit on malloc arenas.
  expect(read('scripts/run.mjs')).toContain("MALLOC_ARENA_MAX: '1'");
  expect(read('deploy/tradewind@.service')).toMatch(/^Environment=.* MALLOC_ARENA_MAX=1$/m);
  expect(dockerfile).toMatch(/^ENV .* MALLOC_ARENA_MAX=1$/m);
});

const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ pattern: line.replace(/^!/, ''), sent: line.startsWith('!') }));

/** As Docker reads `.dockerignore`: the last line that matches a path, or a folder above it, decides. */
function isSent(path: string): boolean {
  const above = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  // To Docker a star also matches a leading dot.
  const fits = (pattern: string) => pattern === '*' || above.some((part) => matchesGlob(part, pattern));
  return ignored.findLast(({ pattern }) => fits(pattern))?.sent ?? true;
}

test('the image contains only what runs: no settings, no history, no tests and no leftovers', () => {
  const files = globSync('{contract,server,scripts,web,test,bench,docs,deploy}/**/*.*', { cwd: PROJECT });
  const sent = files.filter(isSent);
  expect(sent.filter((path) => /\.test\.|test-setup|^test\/|^web\/test|^bench\/|^docs\/|^deploy\//.test(path))).toEqual(
    [],
  );
  const runs = files.filter(
    (path) => /^(contract|server)\/.*\.(ts|sql|css)$/.test(path) && !/\.test\.|test-setup/.test(path),
  );
  expect(runs.length).toBeGreaterThan(500);
  expect(runs.filter((path) => !isSent(path))).toEqual([]);
  for (const path of ['package.json', 'package-lock.json', '.npmrc', 'web/index.html', 'scripts/build.ts'])
    expect([path, isSent(path)]).toEqual([path, true]);
  const never = ['.env', 'deploy/.env', 'server/.env', 'web/.env.local', '.git/config', '.data/pglite/PG_VERSION'];
  for (const path of [...never, 'node_modules/pg/package.json', 'dist/web/index.html', 'test-results/trace.zip'])
    expect([path, isSent(path)]).toEqual([path, false]);
});

const rules: { groups: { rules: { alert: string; expr: string }[] }[] } = parse(read('deploy/alerts.yml'));
const alerts = rules.groups.flatMap((group) => group.rules);

test('each alert is in the runbook', () => {
  expect(alerts.length).toBeGreaterThan(10);
  const runbook = read('docs/operations.md');
  expect(alerts.filter(({ alert }) => !runbook.includes(`\`${alert}\``))).toEqual([]);
});

test('an alert fires when nothing runs: every other rule needs a running process', () => {
  expect(alerts.filter(({ expr }) => expr.includes('absent(tradewind_database_up)'))).toHaveLength(1);
});

test.each([
  ['TradewindPricesStale', 'market'],
  ['TradewindBooksNotChecked', 'integrity.check'],
  ['TradewindNotSealed', 'ledger.seal'],
])('%s also fires while no worker runs: then what its job wrote last, if anything, stays as it is', (name, job) => {
  const { expr = '' } = alerts.find(({ alert }) => alert === name) ?? {};
  expect(expr.split(' or ')).toContain(`max(tradewind_job_overdue{name="${job}"}) == 1`);
  expect(read('server/jobs/index.ts')).toContain(`name: '${job}',`);
});

test('rules and dashboards select and group by the labels that metrics have', () => {
  const rules = globSync(['deploy/alerts.yml', 'deploy/grafana/*.json'], { cwd: PROJECT }).map(read).join('\n');
  const named = figures.filter(({ label }) => label !== undefined);
  const wrong = named.flatMap(({ name, label }) => [
    ...rules.matchAll(new RegExp(`by \\((?!${label}\\))\\w+\\) \\((?:\\w+\\()?${name}\\b`, 'g')),
    ...rules.matchAll(new RegExp(`\\b${name}\\{(?!${label}=)`, 'g')),
  ]);
  expect(wrong.map(([expression]) => expression)).toEqual([]);
  expect(named.filter(({ name }) => !rules.includes(name))).toEqual([]);
});

test('GitHub Actions runs what every merge runs, and nothing else', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as { jobs: Record<string, { steps: { run?: string }[] }> };
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(commands).toHaveLength(1);
  expect(commands[0]).toMatch(/bash \.ci\/run$/);
});
