import { isIP, isIPv4 } from 'node:net';
import { base32nopad } from '@scure/base';
import { z } from 'zod';
import { findAddressFault, listUrls } from './db/servers.ts';

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const zeroOne = z.enum(['0', '1']).transform((value) => value === '1');
const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max));

const decimal = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const webUrl = z.url({ protocol: /^https?$/, error: 'must begin with https:// or http://' });
/** To which paths are added. */
const httpUrl = webUrl
  .regex(/^[^?#]*$/, 'must be without ? and #, because paths are added to it')
  .transform((url) => url.replace(/\/$/, ''));

const gatewayNames = ['sandbox', 'btcpay', 'nowpayments'] as const;
const gatewayName = z.enum(gatewayNames);

/** `1:1000,6` is one confirmation up to $1,000, and six above. */
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

/** In fastify's form: an address, a network with its length or mask, or a named network. */
function isProxy(text: string): boolean {
  const [address = '', size, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  if (size === undefined) return isIP(address) > 0 || ['loopback', 'linklocal', 'uniquelocal'].includes(address);
  if (isIPv4(address) && isIPv4(size)) return true;
  const longest = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return /^\d+$/.test(size) && Number(size) > 0 && Number(size) <= longest;
}

/** The URL of a single read-only server. */
const isOneServer = (address: string) => listUrls(address).length === 1 && !address.includes('target_session_attrs=');

const postgresUrl = z.string().superRefine((address, { addIssue }) => {
  const message = findAddressFault(address);
  if (message !== undefined) addIssue({ code: 'custom', message });
});

/** Every setting with its default and format; `.env.example` lists the same. */
export const environment = z.object({
  PORT: whole(0, 65535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
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
  ANCHOR_URL: webUrl.optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be smtp://host:port or smtps://host:port' })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be an address, such as Name <name@example.com>')
    .default('Tradewind <no-reply@tradewind.example>'),
  MARKET_FEED: z.enum(['simulated', 'replay', 'coingecko', 'ccxt']).default('simulated'),
  MARKET_SPEED: decimal(1, 3600).default(60),
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
  MAX_SLIPPAGE: decimal(0.01, 5).default(0.3),
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
  ADMIN_EMAIL: z.email('must be an email address').optional(),
  ADMIN_PASSWORD: z.string().min(8).optional(),
  BLOCKED_COUNTRIES: z
    .string()
    .regex(/^(\+\d{1,4}(,\+\d{1,4})*)?$/, 'must be dial codes, such as +1,+44')
    .default(''),
  LEGAL_ENTITY: z.string().optional(),
  LEGAL_CONTACT_EMAIL: z.email('must be an email address').optional(),
  TRUST_PROXY: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((proxies) => proxies.every(isProxy), 'must be addresses or networks, such as 127.0.0.1,10.0.0.0/8')
    .default([]),
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
  SUPPORT_EMAIL: z.email('must be an email address').default('support@tradewind.example'),
});

export type Environment = z.output<typeof environment>;
