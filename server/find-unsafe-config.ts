import { findPlainServer, listUrls } from './db/servers.ts';
import type { Environment } from './environment.ts';

/** Exchanges that can look up an order by client order id, so that it is sent exactly once (docs/exchanges.md). */
const VENUE_EXCHANGES: readonly (string | undefined)[] = ['binance', 'binanceus', 'kraken', 'okx'];
/** Exchanges whose keys also have a password. */
const PASSWORD_EXCHANGES: readonly (string | undefined)[] = ['okx'];

/** Every address of the machine. */
const ANY_HOST = /^(0\.0\.0\.0|::)$/;

type Rule = readonly [isBroken: boolean, setting: string, reason: string];

/** Nobody reads the mailboxes that `.env.example` names. */
const refusePlaceholders = (e: Environment): Rule[] =>
  (['SUPPORT_EMAIL', 'MAIL_FROM', 'LEGAL_CONTACT_EMAIL'] as const).map((name) => [
    /@tradewind\.example\b/i.test(e[name] ?? ''),
    name,
    'the address at tradewind.example is a placeholder and is not allowed with MODE=live',
  ]);

/** Checks every URL setting, so that new ones are included. */
const refusePlaintext = (e: Environment): Rule[] =>
  Object.entries(e).flatMap(([name, value]) => {
    const reason = /_(URL|ENDPOINT)$/.test(name) && typeof value === 'string' ? findPlaintext(value) : undefined;
    return reason === undefined ? [] : [[true, name, `${reason} with MODE=live`] as const];
  });

/** Keys that move money, which only the worker may have (docs/operations.md, "Processes"). */
const WORKER_KEYS = [
  'BTCPAY_PAYOUT_KEY',
  'NOWPAYMENTS_PASSWORD',
  'NOWPAYMENTS_TOTP_SECRET',
  'CCXT_API_KEY',
  'CCXT_SECRET',
  'CCXT_PASSWORD',
] as const;

/** NOWPayments' own sandbox, whose coins are worth nothing. */
const isTestAddress = (url: string) => /sandbox/i.test(new URL(url).hostname);

const userOf = (address = ''): string => {
  const [first = ''] = listUrls(address);
  return URL.canParse(first) ? new URL(first).username : '';
};

/** The first forbidden combination of settings (docs/product.md, section 1, "Modes"), as setting and reason. */
export function findUnsafe(e: Environment): string | undefined {
  const isLiveFeed = e.MARKET_FEED === 'coingecko' || e.MARKET_FEED === 'ccxt';
  const anchorFault = e.ANCHOR_URL && findPlaintext(e.ANCHOR_URL);
  const isSharedHost = e.HOST === e.METRICS_HOST || [e.HOST, e.METRICS_HOST].some((host) => ANY_HOST.test(host));
  const rules: Rule[] = [
    [e.PORT > 0 && e.PORT === e.METRICS_PORT && isSharedHost, 'METRICS_PORT', 'must differ from PORT'],
    [anchorFault !== undefined, 'ANCHOR_URL', anchorFault ?? ''],
    [!e.DATABASE_URL && !!e.DATABASE_LISTEN_URL, 'DATABASE_LISTEN_URL', 'requires DATABASE_URL'],
    [!e.DATABASE_URL && !!e.DATABASE_READER_URL, 'DATABASE_READER_URL', 'requires DATABASE_URL'],
    [!e.DATABASE_URL && !!e.DATABASE_READ_URL, 'DATABASE_READ_URL', 'requires DATABASE_URL'],
    [
      !!e.DATABASE_READ_URL && userOf(e.DATABASE_READ_URL) !== userOf(e.DATABASE_URL),
      'DATABASE_READ_URL',
      'requires the user of DATABASE_URL',
    ],
    [
      !e.DATABASE_PREPARED && !e.DATABASE_LISTEN_URL,
      'DATABASE_LISTEN_URL',
      'required with DATABASE_PREPARED=off, because LISTEN needs a direct connection to PostgreSQL',
    ],
    [
      e.MARKET_FEED === 'replay' && !e.REPLAY_DATA,
      'REPLAY_DATA',
      'required with MARKET_FEED=replay: the folder of recorded candles',
    ],
    [
      e.MARKET_FEED === 'ccxt' && !e.CCXT_EXCHANGE,
      'CCXT_EXCHANGE',
      'required with MARKET_FEED=ccxt: the ccxt id of the exchange',
    ],
  ];
  if (e.VENUE === 'ccxt')
    rules.push(
      [e.MARKET_FEED !== 'ccxt', 'VENUE', 'ccxt requires MARKET_FEED=ccxt, the prices of the same exchange'],
      [
        !VENUE_EXCHANGES.includes(e.CCXT_EXCHANGE),
        'CCXT_EXCHANGE',
        `VENUE=ccxt supports ${VENUE_EXCHANGES.join(', ')}`,
      ],
      [e.JOBS && !e.CCXT_API_KEY, 'CCXT_API_KEY', 'required with VENUE=ccxt'],
      [e.JOBS && !e.CCXT_SECRET, 'CCXT_SECRET', 'required with VENUE=ccxt'],
      [
        e.JOBS && PASSWORD_EXCHANGES.includes(e.CCXT_EXCHANGE) && !e.CCXT_PASSWORD,
        'CCXT_PASSWORD',
        `required with CCXT_EXCHANGE=${e.CCXT_EXCHANGE}: the password of the API key`,
      ],
      [
        e.MODE === 'paper' && !e.CCXT_SANDBOX,
        'CCXT_SANDBOX',
        'MODE=paper moves no real money, so VENUE=ccxt requires CCXT_SANDBOX=1',
      ],
      [
        e.PAYMENTS.includes('sandbox') && !e.CCXT_SANDBOX,
        'PAYMENTS',
        'sandbox payments cannot be combined with real exchange keys; set CCXT_SANDBOX=1',
      ],
    );
  if (e.PAYMENTS.includes('btcpay')) {
    const needed = ['BTCPAY_URL', 'BTCPAY_STORE_ID', 'BTCPAY_API_KEY', 'BTCPAY_WEBHOOK_SECRET'] as const;
    rules.push(...needed.map((name) => [!e[name], name, 'required with PAYMENTS=btcpay'] as const), [
      e.JOBS && !e.BTCPAY_PAYOUT_KEY,
      'BTCPAY_PAYOUT_KEY',
      'required with PAYMENTS=btcpay: the worker pays out with it',
    ]);
  }
  if (e.PAYMENTS.includes('nowpayments'))
    rules.push(
      ...(['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET'] as const).map(
        (name) => [!e[name], name, 'required with PAYMENTS=nowpayments'] as const,
      ),
      ...(['NOWPAYMENTS_PASSWORD', 'NOWPAYMENTS_TOTP_SECRET'] as const).flatMap((name): Rule[] => [
        [
          e.JOBS && !!e.NOWPAYMENTS_EMAIL && !e[name],
          name,
          'required with NOWPAYMENTS_EMAIL: the worker pays out with it',
        ],
        [!e.NOWPAYMENTS_EMAIL && !!e[name], 'NOWPAYMENTS_EMAIL', `required with ${name}`],
      ]),
      [
        isTestAddress(e.NOWPAYMENTS_URL) && !e.CCXT_SANDBOX,
        'NOWPAYMENTS_URL',
        'test coins cannot be combined with real exchange keys; set CCXT_SANDBOX=1',
      ],
    );
  if (!e.PAYMENTS.includes('sandbox')) {
    const names = e.PAYMENTS.join(',');
    rules.push(
      [!e.PUBLIC_URL, 'PUBLIC_URL', `required with PAYMENTS=${names}`],
      [e.MODE === 'paper', 'PAYMENTS', `MODE=paper moves no real money and does not allow ${names}`],
      [!isLiveFeed, 'MARKET_FEED', `PAYMENTS=${names} requires a live feed, not ${e.MARKET_FEED}`],
      [e.VENUE === 'paper', 'VENUE', `PAYMENTS=${names} requires an exchange that fills trades, not paper`],
      [
        e.BITCOIN_NETWORK !== 'mainnet' && !e.CCXT_SANDBOX,
        'BITCOIN_NETWORK',
        'test coins cannot be combined with real exchange keys; set CCXT_SANDBOX=1',
      ],
    );
  }
  rules.push(
    [e.DEMO && isLiveFeed, 'DEMO', `demo data needs past prices and does not work with MARKET_FEED=${e.MARKET_FEED}`],
    [!e.ADMIN_EMAIL !== !e.ADMIN_PASSWORD, 'ADMIN_PASSWORD', 'set both ADMIN_EMAIL and ADMIN_PASSWORD, or neither'],
    [e.MODE !== 'paper' && !e.SMTP_URL, 'SMTP_URL', `required with MODE=${e.MODE}: one-time passwords are emailed`],
  );
  if (e.MODE === 'live')
    rules.push(
      ...WORKER_KEYS.map(
        (name) => [!e.JOBS && !!e[name], name, 'not allowed with JOBS=off: give it to the worker only'] as const,
      ),
      [
        e.BTCPAY_PAYOUT_KEY !== undefined && e.BTCPAY_PAYOUT_KEY === e.BTCPAY_API_KEY,
        'BTCPAY_PAYOUT_KEY',
        'must differ from BTCPAY_API_KEY, which can only make invoices',
      ],
      [!e.DATABASE_URL, 'DATABASE_URL', 'required with MODE=live'],
      [e.DEMO, 'DEMO', 'not allowed with MODE=live'],
      [!e.LEGAL_ENTITY, 'LEGAL_ENTITY', 'required with MODE=live'],
      [e.BLOCKED_COUNTRIES === '', 'BLOCKED_COUNTRIES', 'required with MODE=live'],
      [!isLiveFeed, 'MARKET_FEED', `${e.MARKET_FEED} is not allowed with MODE=live`],
      [e.VENUE !== 'ccxt', 'VENUE', `${e.VENUE} is not allowed with MODE=live`],
      [e.CCXT_SANDBOX, 'CCXT_SANDBOX', 'not allowed with MODE=live'],
      [e.PAYMENTS.includes('sandbox'), 'PAYMENTS', 'sandbox is not allowed with MODE=live'],
      [e.BITCOIN_NETWORK !== 'mainnet', 'BITCOIN_NETWORK', `${e.BITCOIN_NETWORK} is not allowed with MODE=live`],
      [!e.PUBLIC_URL?.startsWith('https:'), 'PUBLIC_URL', 'must begin with https: with MODE=live'],
      [!e.LEGAL_CONTACT_EMAIL, 'LEGAL_CONTACT_EMAIL', 'required with MODE=live: it confirms who may approve payouts'],
      ...refusePlaceholders(e),
      ...refusePlaintext(e),
    );
  const broken = rules.find(([isBroken]) => isBroken);
  return broken && `${broken[1]}: ${broken[2]}`;
}

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/**
 * How to fix a URL whose traffic could be read or changed on the way; undefined if it requires TLS with verified
 * certificates, or leads to this machine.
 *
 * @param address `http(s)://`, `smtp(s)://` or `postgresql://`; credentials in it are never repeated
 */
function findPlaintext(address: string): string | undefined {
  if (/^postgres(ql)?:/.test(address)) return findPlainServer(address, isLoopback);
  if (!URL.canParse(address)) return 'must be an address';
  const { protocol, hostname, searchParams } = new URL(address);
  if (isLoopback(hostname)) return undefined;
  if (protocol === 'http:') return 'must begin with https://';
  if (!protocol.startsWith('smtp')) return undefined;
  // The mailer reads these from the URL; without requireTLS it sends plaintext to a server without STARTTLS.
  if (searchParams.get('tls.rejectUnauthorized') === 'false') return 'must check the certificate of the server';
  if (protocol === 'smtps:' || ['true', '1'].includes(searchParams.get('requireTLS') ?? '')) return undefined;
  return 'must begin with smtps://, or end with ?requireTLS=true';
}
