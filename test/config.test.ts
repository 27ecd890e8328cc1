import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { BadConfig, originOf, readConfig } from '#server/config.ts';
import { environment } from '#server/environment.ts';
import { realPaymentsEnv } from './fake-servers/btcpay.ts';

test('a venue at an exchange has its account’s keys', () => {
  expect(readConfig(realPaymentsEnv)).toMatchObject({ venue: 'ccxt', venueKeys: { apiKey: 'key', secret: 'secret' } });
  expect(readConfig({})).toMatchObject({ venue: 'paper', venueKeys: undefined });
});

test.each(['binance', 'binanceus', 'kraken', 'okx'])('a venue may be %s', (id) => {
  const config = readConfig({ ...realPaymentsEnv, CCXT_EXCHANGE: id, CCXT_PASSWORD: 'passphrase' });
  expect(config.market.exchange.id).toBe(id);
  expect(config.venueKeys).toEqual({ apiKey: 'key', secret: 'secret', password: 'passphrase' });
});

test('a web process does not get the exchange keys', () => {
  expect(readConfig({ ...realPaymentsEnv, CCXT_EXCHANGE: 'okx', JOBS: 'off' }).venueKeys).toBeUndefined();
});

test('paper mode accepts the exchange’s sandbox', () => {
  expect(readConfig({ ...realPaymentsEnv, MODE: 'paper' })).toMatchObject({ mode: 'paper', venue: 'ccxt' });
});

test('every setting is optional', () => {
  expect(readConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    mode: 'paper',
    databaseUrl: undefined,
    demo: false,
  });
});

test('each of several processes enforces its share of the limits, and never zero', () => {
  expect(readConfig({})).toMatchObject({ rateLimit: 1200, signInLimit: 60 });
  expect(readConfig({ API_PROCESSES: '4' })).toMatchObject({ rateLimit: 300, signInLimit: 15 });
  expect(readConfig({ API_PROCESSES: '100', SIGN_IN_LIMIT: '20' })).toMatchObject({ signInLimit: 1 });
});

test('the seal key is in DATA_DIR unless configured, and heads are published over TLS or to this machine', () => {
  expect(readConfig({ DATA_DIR: '/data' }).sealKeyFile).toBe('/data/seal.key');
  expect(readConfig({ DATA_DIR: '/data', SEAL_KEY_FILE: '/keys/one' }).sealKeyFile).toBe('/keys/one');
  for (const address of [
    'https://anchor.example/heads',
    'http://localhost:9000/',
    'http://127.0.0.1/',
    'http://[::1]/',
  ])
    expect(readConfig({ ANCHOR_URL: address }).anchorUrl).toBe(address);
});

test('an empty value counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined });
});

test.each([
  [{ PAYMENTS: 'btcpay,foo' }, 'PAYMENTS: must be one of sandbox, btcpay, nowpayments'],
  [{ JOBS: '1' }, 'JOBS: must be one of on, off'],
  [{ PORT: '99999' }, 'PORT: must be at most 65535'],
  [{ MARKET_SPEED: '0' }, 'MARKET_SPEED: must be at least 1'],
  [{ MAX_SLIPPAGE: 'x' }, 'MAX_SLIPPAGE: must be a number'],
  [{ MAX_SLIPPAGE: '0x1' }, 'MAX_SLIPPAGE: must be a number'],
  [{ SANDBOX_SECRET: 'x' }, 'SANDBOX_SECRET: must have at least 16 characters'],
  [{ BRAND_NAME: 'x'.repeat(41) }, 'BRAND_NAME: must have at most 40 characters'],
  [{ MARKET_START: '2026' }, 'MARKET_START: must be a time in UTC, such as 2025-06-18T12:20:00Z'],
  [{ ANCHOR_URL: 'x' }, 'ANCHOR_URL: must begin with https:// or http://'],
  [{ DATABASE_URL: 'x' }, 'DATABASE_URL: must begin with postgresql://'],
])('%j is refused in plain words', (env, words) => {
  expect(() => readConfig(env)).toThrowError(new BadConfig(words));
});

test('settings of other programs on the machine are none of ours', () => {
  expect(readConfig({ LOGLEVEL: 'debug', DATADIR: '/srv', DATABASE_SSL: 'on' })).toEqual(readConfig({}));
});

test.each<[Record<string, string>, string]>([
  [{ ANCHOR_URL: 'http://anchor.example/heads' }, 'ANCHOR_URL'],
  [{ ANCHOR_URL: 'ftp://localhost/heads' }, 'ANCHOR_URL'],
  [{ PUBLIC_URL: 'trade.example:8080' }, 'PUBLIC_URL: must begin with https:// or http://'],
  [
    { PUBLIC_URL: 'https://trade.example/?ref=1' },
    'PUBLIC_URL: must be without ? and #, because paths are added to it',
  ],
  [{ BTCPAY_URL: 'https://pay.example/#store' }, 'BTCPAY_URL: must be without ? and #, because paths are added to it'],
  [{ PORT: '9464', METRICS_PORT: '9464' }, 'METRICS_PORT: must differ from PORT'],
  [{ PORT: 'eighty' }, 'PORT'],
  [{ DATABSE_URL: 'postgresql://a/d' }, 'DATABSE_URL: is not a setting. Did you mean DATABASE_URL?'],
  [{ DATABASE_ULR: 'postgresql://a/d' }, 'DATABASE_ULR: is not a setting. Did you mean DATABASE_URL?'],
  [{ LOG_LEVLE: 'debug' }, 'LOG_LEVLE: is not a setting. Did you mean LOG_LEVEL?'],
  [{ data_dir: '/srv' }, 'data_dir: is not a setting. Did you mean DATA_DIR?'],
  [{ TRADEWIND_PAYMENTS: 'sandbox' }, 'TRADEWIND_PAYMENTS: is not a setting. Did you mean PAYMENTS?'],
  [{ MAIL_FROM: 'Tradewind' }, 'MAIL_FROM: must be an address'],
  [{ MAIL_FROM: 'Tradewind <no-reply>' }, 'MAIL_FROM: must be an address'],
  [{ SUPPORT_EMAIL: 'support' }, 'SUPPORT_EMAIL: must be an email address'],
  [{ MODE: 'production' }, 'MODE'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgresql://a:5432,b:x/d' }, 'DATABASE_URL'],
  [{ SMTP_URL: 'smtp://' }, 'SMTP_URL: must be smtp://host:port'],
  [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL'],
  [{ MODE: 'staging' }, 'SMTP_URL: required with MODE=staging: one-time passwords are emailed'],
  [{ DATABASE_URL: 'postgresql://a,b/d?target_session_attrs=any' }, 'DATABASE_URL'],
  [{ DATABASE_LISTEN_URL: 'postgresql://a/d' }, 'DATABASE_LISTEN_URL'],
  [{ DATABASE_READER_URL: 'postgresql://a/d' }, 'DATABASE_READER_URL: requires DATABASE_URL'],
  [{ DATABASE_READ_URL: 'postgresql://a/d' }, 'DATABASE_READ_URL'],
  [{ DATABASE_URL: 'postgresql://u@a,b/d', DATABASE_READ_URL: 'postgresql://v@b/d' }, 'DATABASE_READ_URL'],
  [{ DATABASE_URL: 'postgresql://a/d', DATABASE_READ_URL: 'postgresql://b,c/d' }, 'DATABASE_READ_URL'],
  [
    { DATABASE_URL: 'postgresql://a/d', DATABASE_READ_URL: 'postgresql://b/d?target_session_attrs=primary' },
    'DATABASE_READ_URL',
  ],
  [{ DATABASE_URL: 'postgresql://a/d', DATABASE_PREPARED: 'off' }, 'DATABASE_LISTEN_URL'],
  [{ MARKET_FEED: 'replay' }, 'REPLAY_DATA'],
  [{ MARKET_START: 'yesterday' }, 'MARKET_START'],
  [{ MARKET_FEED: 'ccxt' }, 'CCXT_EXCHANGE'],
  [{ MARKET_FEED: 'ccxt', CCXT_EXCHANGE: 'Kraken Pro' }, 'CCXT_EXCHANGE'],
  [{ MARKET_FEED: 'coingecko', DEMO: '1' }, 'DEMO'],
  [{ COINGECKO_URL: 'ftp://coingecko.example' }, 'COINGECKO_URL'],
  [{ COINGECKO_POLL_SECONDS: '301' }, 'COINGECKO_POLL_SECONDS'],
  [{ CCXT_RATE_LIMIT_MS: '0' }, 'CCXT_RATE_LIMIT_MS'],
  [{ COMPANY_CODE: 'lower' }, 'COMPANY_CODE'],
  [{ TRUST_PROXY: 'proxy' }, 'TRUST_PROXY: must be addresses or networks'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY'],
  [{ ADMIN_EMAIL: 'a@b.example' }, 'ADMIN_PASSWORD'],
  [{ ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD'],
  [{ ADMIN_EMAIL: 'admin', ADMIN_PASSWORD: 'long and her own' }, 'ADMIN_EMAIL: must be an email address'],
  [{ BLOCKED_COUNTRIES: 'US' }, 'BLOCKED_COUNTRIES'],
  ...Object.entries({
    MARKET_FEED: { MARKET_FEED: 'simulated' },
    CCXT_EXCHANGE: { CCXT_EXCHANGE: 'coinbase' },
    CCXT_API_KEY: { CCXT_API_KEY: '' },
    CCXT_SECRET: { CCXT_SECRET: '' },
    CCXT_PASSWORD: { CCXT_EXCHANGE: 'okx' },
    CCXT_SANDBOX: { MODE: 'paper', CCXT_SANDBOX: '' },
    PAYMENTS: { CCXT_SANDBOX: '' },
  }).map(([name, env]) => [{ ...realPaymentsEnv, ...env }, name] as [Record<string, string>, string]),
])('%o is refused in a line that names the setting', (env, name) => {
  expect(() => readConfig(env)).toThrowError(BadConfig);
  expect(() => readConfig(env)).toThrowError(name);
});

test('names of other programs are ignored, also those near to a short setting, and misspelled ones without a value', () => {
  const others = ['PATH', 'POST', 'HOSTS', 'DATABASE_SSL', 'TRADEWIND_PORT', 'BTCPAY_SERVICE_HOST', 'MAILTO'];
  const env = { ...Object.fromEntries(others.map((name) => [name, 'x'])), DATABSE_URL: '' };
  expect(readConfig(env)).toEqual(readConfig({}));
});

test('proxies are addresses, networks and names of networks, with or without spaces', () => {
  const proxies = ['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8', '10.0.0.0/255.0.0.0', 'loopback'];
  const config = readConfig({ TRUST_PROXY: proxies.join(', ') });
  expect(config.trustProxy).toEqual(proxies);
  expect(() => fastify({ trustProxy: config.trustProxy })).not.toThrow();
});

test('.env.example lists every setting', () => {
  const project = join(import.meta.dirname, '..');
  const listed = [...readFileSync(join(project, '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(
    (match) => match[1],
  );
  expect(listed.toSorted()).toEqual(Object.keys(environment.shape).toSorted());
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://localhost:8080'],
  ['::', 'http://localhost:8080'],
  ['::1', 'http://[::1]:8080'],
])('a server that listens on %s is reached at %s', (host, origin) => {
  expect(originOf(host, 8080)).toBe(origin);
});
