import { join, resolve } from 'node:path';
import { Decimal } from 'decimal.js';
import type { DatabaseLimits } from './db/limits.ts';
import { describeIssue } from './describe-issue.ts';
import { type Environment, environment } from './environment.ts';
import { findMisspelled } from './find-misspelled-setting.ts';
import { findUnsafe } from './find-unsafe-config.ts';

const PROJECT = resolve(import.meta.dirname, '..');

export type Config = ReturnType<typeof readConfig>;

/** An invalid setting, described in one line. */
export class BadConfig extends Error {}

/** A server on all interfaces is reached via loopback: `originOf('0.0.0.0', 8080)` is `http://localhost:8080`. */
export function originOf(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Reads the environment: the only place that does (test/tidy.test.ts). Empty values count as not set.
 * @throws BadConfig naming the variable
 */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const misspelled = findMisspelled(Object.keys(given), Object.keys(environment.shape));
  if (misspelled !== undefined)
    throw new BadConfig(`${misspelled.name}: is not a setting. Did you mean ${misspelled.meant}?`);
  const parsed = environment.safeParse(given, { error: describeIssue });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BadConfig(`${String(issue?.path[0])}: ${issue?.message}`);
  }
  const e = parsed.data;
  const unsafe = findUnsafe(e);
  if (unsafe !== undefined) throw new BadConfig(unsafe);
  return {
    port: e.PORT,
    host: e.HOST,
    publicUrl: e.PUBLIC_URL,
    /** The web app's, for links in emails. */
    siteUrl: e.PUBLIC_URL ?? originOf(e.HOST, e.PORT),
    mode: e.MODE,
    databaseUrl: e.DATABASE_URL,
    databaseLimits: readDatabaseLimits(e),
    /** A direct connection to PostgreSQL, if `databaseUrl` is a pooler's. */
    databaseListenUrl: e.DATABASE_LISTEN_URL,
    /** The role that owns the schema, only for migrations; by default `databaseUrl`, if permitted. */
    databaseMigrateUrl: e.DATABASE_MIGRATE_URL,
    /** The role that reads the metrics; by default `databaseUrl`. */
    databaseReaderUrl: e.DATABASE_READER_URL,
    /** A standby for reads; by default `databaseUrl`. */
    databaseReadUrl: e.DATABASE_READ_URL,
    databasePrepared: e.DATABASE_PREPARED,
    dataDir: resolve(PROJECT, e.DATA_DIR),
    /** The key that signs seals, outside the database, because its owner must not have it. */
    sealKeyFile: resolve(PROJECT, e.SEAL_KEY_FILE ?? join(e.DATA_DIR, 'seal.key')),
    /** Receives the heads of all chains every hour, if set. */
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
    /** Maximum distance of a fill from the mark price, as a fraction: `0.003`. */
    maxSlippage: new Decimal(e.MAX_SLIPPAGE).div(100).toFixed(),
    /** The account at the exchange; set only in a worker, whenever `venue` is ccxt. */
    venueKeys:
      e.JOBS && e.CCXT_API_KEY && e.CCXT_SECRET
        ? { apiKey: e.CCXT_API_KEY, secret: e.CCXT_SECRET, password: e.CCXT_PASSWORD }
        : undefined,
    /** In the order in which members see them. */
    payments: e.PAYMENTS,
    /** Signs webhooks of the sandbox gateway; if not set, a random one in the database does. */
    sandboxSecret: e.SANDBOX_SECRET,
    /** The previous one, accepted during a rotation. */
    sandboxSecretBefore: e.SANDBOX_SECRET_PREVIOUS,
    /** The store at BTCPay Server; set whenever `payments` includes btcpay. */
    btcpay: readBtcpay(e),
    /** The account at NOWPayments; set whenever `payments` includes nowpayments. */
    nowpayments: readNowpayments(e),
    /** Required Bitcoin confirmations by dollars of the deposit, ascending; the last without a limit. */
    bitcoinConfirmations: e.BITCOIN_CONFIRMATIONS,
    /** The Bitcoin network of payout addresses. */
    bitcoinNetwork: e.BITCOIN_NETWORK,
    demo: e.DEMO,
    companyCode: e.COMPANY_CODE,
    admin: e.ADMIN_EMAIL && e.ADMIN_PASSWORD ? { email: e.ADMIN_EMAIL, password: e.ADMIN_PASSWORD } : undefined,
    blockedDialCodes: e.BLOCKED_COUNTRIES === '' ? [] : e.BLOCKED_COUNTRIES.split(','),
    legalEntity: e.LEGAL_ENTITY,
    /** Confirms admins of a live installation; set whenever `mode` is live. */
    legalContactEmail: e.LEGAL_CONTACT_EMAIL,
    trustProxy: e.TRUST_PROXY,
    /** Requests a minute from one address, for all calls and for calls that check a secret: this process's share. */
    rateLimit: Math.ceil(e.RATE_LIMIT / e.API_PROCESSES),
    signInLimit: Math.ceil(e.SIGN_IN_LIMIT / e.API_PROCESSES),
    /** The Prometheus endpoint; none without a port. */
    metrics: { port: e.METRICS_PORT, host: e.METRICS_HOST },
    /** Receives traces by OTLP over HTTP, if set. */
    tracing: { endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT, service: e.OTEL_SERVICE_NAME },
    /** Maximum of live connections, in this process and per member. */
    liveSockets: { most: e.LIVE_SOCKETS, maxOfMember: e.LIVE_SOCKETS_OF_MEMBER },
    jobs: e.JOBS,
    /** How long a stopping process still serves requests while it reports not ready. */
    drainMs: e.DRAIN_SECONDS * 1000,
    logLevel: e.LOG_LEVEL,
    brandName: e.BRAND_NAME,
    supportEmail: e.SUPPORT_EMAIL,
  };
}

/** Requests may wait seconds, jobs minutes; reserved connections respond or fail within two seconds. */
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
    /** Can only create and read invoices. */
    apiKey,
    /** Pays out and reads balances; set only in a worker. */
    payoutKey: e.JOBS ? e.BTCPAY_PAYOUT_KEY : undefined,
    /** Accepted webhook secrets: the current one, and the previous one during a rotation. */
    webhookSecrets: [webhookSecret, e.BTCPAY_WEBHOOK_SECRET_PREVIOUS ?? []].flat(),
  };
}

function readNowpayments(e: Environment) {
  const { NOWPAYMENTS_URL: url, NOWPAYMENTS_API_KEY: apiKey, NOWPAYMENTS_IPN_SECRET: ipnSecret } = e;
  if (!apiKey || !ipnSecret) return undefined;
  return {
    url,
    /** Creates and reads payments, and moves no money. */
    apiKey,
    /** Accepted IPN secrets: the current one, and the previous one during a rotation. */
    ipnSecrets: [ipnSecret, e.NOWPAYMENTS_IPN_SECRET_PREVIOUS ?? []].flat(),
    /** The account that pays USDT withdrawals, known to every process; without it they are paid by hand. */
    payoutEmail: e.NOWPAYMENTS_EMAIL,
    /** Signs in and confirms payouts; set only in a worker. */
    payoutKeys:
      e.JOBS && e.NOWPAYMENTS_PASSWORD && e.NOWPAYMENTS_TOTP_SECRET
        ? { password: e.NOWPAYMENTS_PASSWORD, totpSecret: e.NOWPAYMENTS_TOTP_SECRET }
        : undefined,
  };
}
