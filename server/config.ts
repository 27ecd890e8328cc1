import { join, resolve } from 'node:path';
import { base32nopad } from '@scure/base';
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import type { DatabaseLimits } from './db/limits.ts';
import { findAddressFault, listUrls } from './db/servers.ts';
import { findUnsafe } from './find-unsafe-config.ts';

const PROJECT = resolve(import.meta.dirname, '..');

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const zeroOne = z.enum(['0', '1']).transform((value) => value === '1');
const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max));

const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ''));

const gatewayNames = ['sandbox', 'btcpay', 'nowpayments'] as const;
const gatewayName = z.enum(gatewayNames);

/** `1:1000,6` is one up to 1 000 dollars, and six above. */
const readConfirmations = (text: string) =>
  text.split(',').map((part) => {
    const [confirmations, upTo] = part.split(':').map(Number);
    return { confirmations: confirmations as number, upToDollars: upTo ?? Number.POSITIVE_INFINITY };
  });
const isRising = (steps: ReturnType<typeof readConfirmations>) =>
  steps.every((step, index) => {
    const before = steps[index - 1];
    return !before || (step.confirmations > before.confirmations && step.upToDollars > before.upToDollars);
  });

const btcpayKey = z.string().regex(/^[\x21-\x7e]{10,200}$/, 'must be the API key as BTCPay Server shows it');

function isBase32(text: string): boolean {
  try {
    return base32nopad.decode(text).length >= 10;
  } catch {
    return false;
  }
}

/** The address of one server that is only read: it need not take writes. */
const isOneServer = (address: string) => listUrls(address).length === 1 && !address.includes('target_session_attrs=');

const postgresUrl = z.string().superRefine((address, { addIssue }) => {
  const message = findAddressFault(address);
  if (message !== undefined) addIssue({ code: 'custom', message });
});

/** Every setting, its default and its form; `.env.example` lists the same. */
const environment = z.object({
  PORT: whole(0, 65535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z.url().optional(),
  MODE: z.enum(['paper', 'staging', 'live']).default('paper'),
  DATABASE_CONNECTIONS: whole(4, 500).default(10),
  DATABASE_WAIT_MS: whole(100, 60_000).default(1000),
  DATABASE_LOCK_MS: whole(100, 60_000).default(2000),
  DATABASE_STATEMENT_MS: whole(100, 600_000).default(3000),
  DATABASE_JOBS_LOCK_SECONDS: whole(1, 3600).default(60),
  DATABASE_JOBS_STATEMENT_SECONDS: whole(10, 86_400).default(1800),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_LISTEN_URL: postgresUrl.optional(),
  DATABASE_MIGRATE_URL: postgresUrl.optional(),
  DATABASE_READER_URL: postgresUrl.optional(),
  DATABASE_READ_URL: postgresUrl.refine(isOneServer, 'names one server, without target_session_attrs').optional(),
  DATABASE_PREPARED: onOff.default(true),
  DATA_DIR: z.string().default('.data'),
  SEAL_KEY_FILE: z.string().optional(),
  ANCHOR_URL: z.url({ protocol: /^https?$/ }).optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().default('Tradewind <no-reply@tradewind.example>'),
  MARKET_FEED: z.enum(['simulated', 'replay', 'coingecko', 'ccxt']).default('simulated'),
  MARKET_SPEED: z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().min(1).max(3600))
    .default(60),
  MARKET_SEED: z.string().default('tradewind'),
  MARKET_START: z.iso.datetime().optional(),
  REPLAY_DATA: z.string().optional(),
  COINGECKO_URL: httpUrl.default('https://api.coingecko.com/api/v3'),
  COINGECKO_API_KEY: z.string().optional(),
  COINGECKO_POLL_SECONDS: whole(2, 300).default(300),
  CCXT_EXCHANGE: z
    .string()
    .regex(/^[a-z0-9]+$/, 'must be a ccxt exchange id, such as kraken')
    .optional(),
  CCXT_URL: httpUrl.optional(),
  CCXT_SANDBOX: zeroOne.default(false),
  CCXT_RATE_LIMIT_MS: whole(1, 60_000).optional(),
  VENUE: z.enum(['paper', 'ccxt']).default('paper'),
  CCXT_API_KEY: z.string().optional(),
  CCXT_SECRET: z.string().optional(),
  CCXT_PASSWORD: z.string().optional(),
  /** Percent. */
  MAX_SLIPPAGE: z.coerce.number().min(0.01).max(5).default(0.3),
  PAYMENTS: z
    .string()
    .default('sandbox')
    .transform((names) => names.split(',').map((name) => name.trim()))
    .pipe(z.tuple([gatewayName], gatewayName))
    .refine((names) => new Set(names).size === names.length, 'names a gateway twice')
    .refine(
      (names) => names.length === 1 || !names.includes('sandbox'),
      'sandbox cannot be combined with real gateways',
    ),
  SANDBOX_SECRET: z.string().min(16).optional(),
  SANDBOX_SECRET_PREVIOUS: z.string().min(16).optional(),
  BTCPAY_URL: httpUrl.optional(),
  BTCPAY_STORE_ID: z
    .string()
    .regex(/^[A-Za-z0-9]{10,100}$/, 'must be the store id: letters and digits')
    .optional(),
  BTCPAY_API_KEY: btcpayKey.optional(),
  BTCPAY_PAYOUT_KEY: btcpayKey.optional(),
  BTCPAY_WEBHOOK_SECRET: z.string().min(16).optional(),
  BTCPAY_WEBHOOK_SECRET_PREVIOUS: z.string().min(16).optional(),
  NOWPAYMENTS_URL: httpUrl.default('https://api.nowpayments.io'),
  NOWPAYMENTS_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{10,200}$/, 'must be the API key as NOWPayments shows it')
    .optional(),
  NOWPAYMENTS_IPN_SECRET: z.string().trim().min(16).optional(),
  NOWPAYMENTS_IPN_SECRET_PREVIOUS: z.string().trim().min(16).optional(),
  NOWPAYMENTS_EMAIL: z.email('must be an email address').optional(),
  NOWPAYMENTS_PASSWORD: z.string().min(8).optional(),
  NOWPAYMENTS_TOTP_SECRET: z
    .string()
    .transform((text) => text.replaceAll(/[\s=]/g, '').toUpperCase())
    .refine(isBase32, 'must be the secret of the authenticator app, in base32')
    .optional(),
  BITCOIN_CONFIRMATIONS: z
    .string()
    .regex(
      /^([1-6]:\d{1,9},)*[1-6]$/,
      'must be confirmations with the dollars up to which they do, such as 1:1000,3:10000,6',
    )
    .default('1:1000,3:10000,6')
    .transform(readConfirmations)
    .refine(isRising, 'must rise with the amount'),
  BITCOIN_NETWORK: z.enum(['mainnet', 'testnet']).default('mainnet'),
  DEMO: zeroOne.default(false),
  COMPANY_CODE: z
    .string()
    .regex(/^[A-Z0-9]{3,20}$/, 'must be 3 to 20 capital letters and digits')
    .default('TRADEWIND'),
  ADMIN_EMAIL: z.string().optional(),
  ADMIN_PASSWORD: z.string().min(8).optional(),
  BLOCKED_COUNTRIES: z
    .string()
    .regex(/^(\+\d{1,4}(,\+\d{1,4})*)?$/, 'must be dial codes, such as +1,+44')
    .default(''),
  LEGAL_ENTITY: z.string().optional(),
  LEGAL_CONTACT_EMAIL: z.email('must be an email address').optional(),
  TRUST_PROXY: z.string().default(''),
  API_PROCESSES: whole(1, 1000).default(1),
  RATE_LIMIT: whole(1, 1_000_000).default(1200),
  SIGN_IN_LIMIT: whole(1, 1_000_000).default(60),
  METRICS_PORT: whole(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  LIVE_SOCKETS: whole(0, 1_000_000).default(10_000),
  LIVE_SOCKETS_OF_MEMBER: whole(1, 10_000).default(20),
  JOBS: onOff.default(true),
  DRAIN_SECONDS: whole(0, 15).default(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_SERVICE_NAME: z.string().max(100).default('tradewind'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  BRAND_NAME: z.string().max(40).default('Tradewind'),
  SUPPORT_EMAIL: z.string().default('support@tradewind.example'),
});

export type Environment = z.output<typeof environment>;

export type Config = ReturnType<typeof readConfig>;

/** An invalid setting, described in one line. */
export class BadConfig extends Error {}

/**
 * Reads the environment: the only place that does (test/tidy.test.ts). Empty values count as not set.
 * @throws BadConfig naming the variable
 */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BadConfig(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const e = parsed.data;
  const unsafe = findUnsafe(e);
  if (unsafe !== undefined) throw new BadConfig(unsafe);
  return {
    port: e.PORT,
    host: e.HOST,
    publicUrl: e.PUBLIC_URL?.replace(/\/$/, ''),
    mode: e.MODE,
    databaseUrl: e.DATABASE_URL,
    databaseLimits: readDatabaseLimits(e),
    /** Straight to PostgreSQL, where `databaseUrl` is that of a pooler. */
    databaseListenUrl: e.DATABASE_LISTEN_URL,
    /** The role that owns the schema, for its changes alone; without it `databaseUrl` makes them where it may. */
    databaseMigrateUrl: e.DATABASE_MIGRATE_URL,
    /** The role that reads the figures of metrics; without it `databaseUrl`. */
    databaseReaderUrl: e.DATABASE_READER_URL,
    /** A standby for reads that may be seconds old; without it `databaseUrl`. */
    databaseReadUrl: e.DATABASE_READ_URL,
    databasePrepared: e.DATABASE_PREPARED,
    dataDir: resolve(PROJECT, e.DATA_DIR),
    /** The key that signs seals; outside the database, whose owner must not have it. */
    sealKeyFile: resolve(PROJECT, e.SEAL_KEY_FILE ?? join(e.DATA_DIR, 'seal.key')),
    /** Who is sent the heads of all chains each hour; nobody without it. */
    anchorUrl: e.ANCHOR_URL,
    webDir: resolve(PROJECT, 'dist/web'),
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    market: {
      feed: e.MARKET_FEED,
      speed: e.MARKET_SPEED,
      seed: e.MARKET_SEED,
      start: e.MARKET_START === undefined ? undefined : new Date(e.MARKET_START),
      replayData: e.REPLAY_DATA === undefined ? undefined : resolve(PROJECT, e.REPLAY_DATA),
      coingecko: { url: e.COINGECKO_URL, apiKey: e.COINGECKO_API_KEY, pollSeconds: e.COINGECKO_POLL_SECONDS },
      /** The exchange of the ccxt feed and of the ccxt venue. */
      exchange: {
        id: e.CCXT_EXCHANGE,
        url: e.CCXT_URL,
        sandbox: e.CCXT_SANDBOX,
        rateLimitMs: e.CCXT_RATE_LIMIT_MS,
      },
    },
    venue: e.VENUE,
    /** How far from the mark an order may fill, as a part: `0.003`. */
    maxSlippage: new Decimal(e.MAX_SLIPPAGE).div(100).toFixed(),
    /** The account at the exchange; there in a worker whenever `venue` is ccxt, and in no other process. */
    venueKeys:
      e.JOBS && e.CCXT_API_KEY && e.CCXT_SECRET
        ? { apiKey: e.CCXT_API_KEY, secret: e.CCXT_SECRET, password: e.CCXT_PASSWORD }
        : undefined,
    /** In the order in which members are offered what to pay with. */
    payments: e.PAYMENTS,
    /** Signs webhooks of the sandbox gateway; made at random on start when unset (it only lives in this process group). */
    sandboxSecret: e.SANDBOX_SECRET,
    /** Signed webhooks before it was changed; both are accepted meanwhile. */
    sandboxSecretBefore: e.SANDBOX_SECRET_PREVIOUS,
    /** The store at BTCPay Server; there whenever `payments` names btcpay. */
    btcpay: readBtcpay(e),
    /** The account at NOWPayments; there whenever `payments` names nowpayments. */
    nowpayments: readNowpayments(e),
    /** How often a payment in Bitcoin must be confirmed, by dollars of the deposit, rising; the last without a limit. */
    bitcoinConfirmations: e.BITCOIN_CONFIRMATIONS,
    /** Which addresses and chain Bitcoin is paid out to. */
    bitcoinNetwork: e.BITCOIN_NETWORK,
    demo: e.DEMO,
    companyCode: e.COMPANY_CODE,
    admin: e.ADMIN_EMAIL && e.ADMIN_PASSWORD ? { email: e.ADMIN_EMAIL, password: e.ADMIN_PASSWORD } : undefined,
    blockedDialCodes: e.BLOCKED_COUNTRIES === '' ? [] : e.BLOCKED_COUNTRIES.split(','),
    legalEntity: e.LEGAL_ENTITY,
    /** Confirms admins of a live installation; there whenever `mode` is live. */
    legalContactEmail: e.LEGAL_CONTACT_EMAIL,
    trustProxy: e.TRUST_PROXY === '' ? [] : e.TRUST_PROXY.split(','),
    /** Requests a minute from one address, all calls together; and of calls that check a secret: this process's share. */
    rateLimit: Math.ceil(e.RATE_LIMIT / e.API_PROCESSES),
    signInLimit: Math.ceil(e.SIGN_IN_LIMIT / e.API_PROCESSES),
    /** Where Prometheus reads; nowhere without a port. */
    metrics: { port: e.METRICS_PORT, host: e.METRICS_HOST },
    /** Who is sent traces, by OTLP over HTTP; nobody without it. */
    tracing: { endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT, service: e.OTEL_SERVICE_NAME },
    /** Sockets that are told what happens: of this process, and of one member in it. */
    liveSockets: { most: e.LIVE_SOCKETS, mostOfMember: e.LIVE_SOCKETS_OF_MEMBER },
    jobs: e.JOBS,
    /** How long a process that is told to stop still serves while it is not ready. */
    drainMs: e.DRAIN_SECONDS * 1000,
    logLevel: e.LOG_LEVEL,
    brandName: e.BRAND_NAME,
    supportEmail: e.SUPPORT_EMAIL,
  };
}

/** People wait seconds, jobs minutes; what is reserved answers within two seconds or says that it cannot. */
function readDatabaseLimits(e: Environment): DatabaseLimits {
  const [connections, waitMs] = [e.DATABASE_CONNECTIONS, e.DATABASE_WAIT_MS];
  const requests = { connections, waitMs, lockMs: e.DATABASE_LOCK_MS, statementMs: e.DATABASE_STATEMENT_MS };
  return {
    requests: { ...requests, idleInTransactionMs: 10_000 },
    jobs: {
      connections,
      waitMs: 30_000,
      lockMs: e.DATABASE_JOBS_LOCK_SECONDS * 1000,
      statementMs: e.DATABASE_JOBS_STATEMENT_SECONDS * 1000,
      idleInTransactionMs: 300_000,
    },
    reserved: { connections: 2, waitMs: 1000, lockMs: 1000, statementMs: 2000, idleInTransactionMs: 10_000 },
  };
}

function readBtcpay(e: Environment) {
  const { BTCPAY_URL: url, BTCPAY_STORE_ID: storeId, BTCPAY_API_KEY: apiKey, BTCPAY_WEBHOOK_SECRET: webhookSecret } = e;
  if (!url || !storeId || !apiKey || !webhookSecret) return undefined;
  return {
    url,
    storeId,
    /** Makes and reads invoices, and can do nothing else. */
    apiKey,
    /** Pays out and reads what is held; there in a worker, and in no other process. */
    payoutKey: e.JOBS ? e.BTCPAY_PAYOUT_KEY : undefined,
    /** What a webhook may be signed with: the newest first, then the one before while it is changed. */
    webhookSecrets: [webhookSecret, e.BTCPAY_WEBHOOK_SECRET_PREVIOUS ?? []].flat(),
  };
}

function readNowpayments(e: Environment) {
  const { NOWPAYMENTS_URL: url, NOWPAYMENTS_API_KEY: apiKey, NOWPAYMENTS_IPN_SECRET: ipnSecret } = e;
  if (!apiKey || !ipnSecret) return undefined;
  return {
    url,
    /** Makes and reads payments, and moves no money. */
    apiKey,
    /** What an IPN may be signed with: the newest first, then the one before while it is changed. */
    ipnSecrets: [ipnSecret, e.NOWPAYMENTS_IPN_SECRET_PREVIOUS ?? []].flat(),
    /** Withdrawals in USDT are paid from this account, which every process knows; without it they are paid by hand. */
    payoutEmail: e.NOWPAYMENTS_EMAIL,
    /** Signs in and confirms payouts; there in a worker, and in no other process. */
    payoutKeys:
      e.JOBS && e.NOWPAYMENTS_PASSWORD && e.NOWPAYMENTS_TOTP_SECRET
        ? { password: e.NOWPAYMENTS_PASSWORD, totpSecret: e.NOWPAYMENTS_TOTP_SECRET }
        : undefined,
  };
}
