import { join, resolve } from 'node:path';
import { Decimal } from 'decimal.js';
import type { DatabaseLimits } from './db/limits.ts';
import { type Environment, environment } from './environment.ts';
import { findUnsafe } from './find-unsafe-config.ts';

const PROJECT = resolve(import.meta.dirname, '..');

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
    publicUrl: e.PUBLIC_URL,
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
    trustProxy: e.TRUST_PROXY,
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
