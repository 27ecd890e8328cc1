import { describe, expect, test } from 'vitest';
import { BadConfig, readConfig } from '#server/config.ts';
import { realPaymentsEnv } from './fake-servers/btcpay.ts';

const store = {
  PAYMENTS: 'btcpay',
  BTCPAY_URL: 'https://pay.example/',
  BTCPAY_STORE_ID: '82UqSQBJmzXgb5kBXz1WStDUerBR3fgste3CAGZW54qk',
  BTCPAY_API_KEY: 'b30ff3d4a3a6e1d8f0a7c2b9',
  BTCPAY_PAYOUT_KEY: 'c41ff3d4a3a6e1d8f0a7c2b9',
  BTCPAY_WEBHOOK_SECRET: 'sixteen-letters!',
  PUBLIC_URL: 'https://tradewind.example',
};
const staging = {
  ...store,
  ...realPaymentsEnv,
  BITCOIN_NETWORK: 'testnet',
};
const live = {
  ...staging,
  MODE: 'live',
  CCXT_SANDBOX: '',
  BITCOIN_NETWORK: '',
  DATABASE_URL: 'postgresql://tradewind:password@database.example/tradewind?sslmode=verify-full',
  MAIL_FROM: 'Example <no-reply@example.com>',
  SUPPORT_EMAIL: 'support@example.com',
  LEGAL_CONTACT_EMAIL: 'counsel@example.com',
  LEGAL_ENTITY: 'Example Ltd',
  BLOCKED_COUNTRIES: '+1',
};

const refusal = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof BadConfig) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('PAYMENTS', () => {
  test.each([
    ['an unknown gateway', { PAYMENTS: 'moon' }],
    ['an unknown gateway next to a known one', { PAYMENTS: 'btcpay,moon' }],
    ['the same twice', { PAYMENTS: 'btcpay,btcpay' }],
    ['the sandbox next to a real one', { PAYMENTS: 'btcpay,sandbox' }],
  ])('refuses %s', (_, env) => {
    expect(refusal({ ...staging, ...env })).toMatch(/^PAYMENTS/);
  });
});

describe('a store at BTCPay Server', () => {
  test('has all settings needed to call it', () => {
    expect(readConfig(staging)).toMatchObject({
      payments: ['btcpay'],
      bitcoinNetwork: 'testnet',
      btcpay: {
        url: 'https://pay.example',
        storeId: store.BTCPAY_STORE_ID,
        apiKey: store.BTCPAY_API_KEY,
        payoutKey: store.BTCPAY_PAYOUT_KEY,
        webhookSecrets: [store.BTCPAY_WEBHOOK_SECRET],
      },
    });
  });

  test('has two webhook secrets during a change', () => {
    const before = 'another-sixteen-letters';
    expect(readConfig({ ...staging, BTCPAY_WEBHOOK_SECRET_PREVIOUS: before })).toMatchObject({
      btcpay: { webhookSecrets: [store.BTCPAY_WEBHOOK_SECRET, before] },
    });
    expect(refusal({ ...staging, BTCPAY_WEBHOOK_SECRET_PREVIOUS: 'short' })).toMatch(/^BTCPAY_WEBHOOK_SECRET_PREVIOUS/);
    expect(refusal({ SANDBOX_SECRET_PREVIOUS: 'short' })).toMatch(/^SANDBOX_SECRET_PREVIOUS/);
  });

  test('is absent unless configured', () => {
    expect(readConfig({})).toMatchObject({ payments: ['sandbox'], btcpay: undefined, bitcoinNetwork: 'mainnet' });
  });

  test.each([
    ['no address', { BTCPAY_URL: '' }, 'BTCPAY_URL'],
    ['an invalid address', { BTCPAY_URL: 'pay.example' }, 'BTCPAY_URL'],
    ['no store', { BTCPAY_STORE_ID: '' }, 'BTCPAY_STORE_ID'],
    ['a store that would leave its path', { BTCPAY_STORE_ID: '../../users/me/x' }, 'BTCPAY_STORE_ID'],
    ['no key', { BTCPAY_API_KEY: '' }, 'BTCPAY_API_KEY'],
    ['a key of two lines', { BTCPAY_API_KEY: 'b30ff3d4a3a6\nx-other: 1' }, 'BTCPAY_API_KEY'],
    ['a worker without a key for payouts', { BTCPAY_PAYOUT_KEY: '' }, 'BTCPAY_PAYOUT_KEY'],
    ['no webhook secret', { BTCPAY_WEBHOOK_SECRET: '' }, 'BTCPAY_WEBHOOK_SECRET'],
    ['a weak webhook secret', { BTCPAY_WEBHOOK_SECRET: 'fifteen-letters' }, 'BTCPAY_WEBHOOK_SECRET'],
    ['no address for payers to return to', { PUBLIC_URL: '' }, 'PUBLIC_URL'],
    ['paper mode', { MODE: 'paper' }, 'PAYMENTS'],
    ['a simulated market', { MARKET_FEED: 'simulated', VENUE: 'paper' }, 'MARKET_FEED'],
    ['a replayed market', { MARKET_FEED: 'replay', REPLAY_DATA: 'x', VENUE: 'paper' }, 'MARKET_FEED'],
    ['a paper venue', { VENUE: 'paper' }, 'VENUE'],
    ['test coins joined with real exchange keys', { CCXT_SANDBOX: '' }, 'BITCOIN_NETWORK'],
    ['an unknown network', { BITCOIN_NETWORK: 'moon' }, 'BITCOIN_NETWORK'],
  ])('refuses %s', (_, env, name) => {
    expect(refusal({ ...staging, ...env })).toMatch(new RegExp(`^${name}: `));
  });
});

describe('Bitcoin confirmations', () => {
  test('increase with the amount', () => {
    const steps = (text: string) => readConfig({ BITCOIN_CONFIRMATIONS: text }).bitcoinConfirmations;
    const above = Number.POSITIVE_INFINITY;
    expect(steps('')).toEqual([
      { confirmations: 1, upToDollars: 1000 },
      { confirmations: 3, upToDollars: 10_000 },
      { confirmations: 6, upToDollars: above },
    ]);
    expect(steps('2')).toEqual([{ confirmations: 2, upToDollars: above }]);
  });

  test.each(['0', '7', '1:1000', '1:1000,', '3:1000,1', '1:1000,2:500,6', '1:0x9,6', 'many'])('refuse %s', (text) => {
    expect(refusal({ BITCOIN_CONFIRMATIONS: text })).toMatch(/^BITCOIN_CONFIRMATIONS: /);
  });
});

describe('an account at NOWPayments', () => {
  const account = {
    PAYMENTS: 'btcpay,nowpayments',
    NOWPAYMENTS_API_KEY: 'NP-KEY-0000-TEST',
    NOWPAYMENTS_IPN_SECRET: ' sixteen-letters! ',
  };
  const alone = { ...account, PAYMENTS: 'nowpayments', BTCPAY_URL: '', BTCPAY_STORE_ID: '', BTCPAY_API_KEY: '' };

  test('is accepted next to the store, or alone', () => {
    const known = {
      url: 'https://api.nowpayments.io',
      apiKey: account.NOWPAYMENTS_API_KEY,
      ipnSecrets: [store.BTCPAY_WEBHOOK_SECRET],
    };
    expect(readConfig({ ...staging, ...account })).toMatchObject({
      payments: ['btcpay', 'nowpayments'],
      btcpay: { storeId: store.BTCPAY_STORE_ID },
      nowpayments: known,
    });
    expect(readConfig({ ...staging, ...alone })).toMatchObject({ payments: ['nowpayments'], nowpayments: known });
    expect(readConfig(staging).nowpayments).toBeUndefined();
    expect(refusal({ ...live, ...account })).toBe('accepted');
  });

  test('has two secrets during a change', () => {
    const before = 'another-sixteen-letters';
    expect(
      readConfig({ ...staging, ...account, NOWPAYMENTS_IPN_SECRET_PREVIOUS: before }).nowpayments?.ipnSecrets,
    ).toEqual(['sixteen-letters!', before]);
  });

  const payer = {
    NOWPAYMENTS_EMAIL: 'payer@example.com',
    NOWPAYMENTS_PASSWORD: 'a-long-password',
    NOWPAYMENTS_TOTP_SECRET: 'jbsw y3dp ehpk 3pxp jbsw y3dp',
  };

  test('pays out with credentials that only its worker gets', () => {
    const known = (env: Record<string, string>) => readConfig({ ...staging, ...account, ...env }).nowpayments;
    const payoutKeys = { password: payer.NOWPAYMENTS_PASSWORD, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DP' };
    expect(known(payer)).toMatchObject({ payoutEmail: payer.NOWPAYMENTS_EMAIL, payoutKeys });
    expect(known({})).toMatchObject({ payoutEmail: undefined, payoutKeys: undefined });
    expect(known({ ...payer, JOBS: 'off' })).toMatchObject({
      payoutEmail: payer.NOWPAYMENTS_EMAIL,
      payoutKeys: undefined,
    });
    const email = { NOWPAYMENTS_EMAIL: payer.NOWPAYMENTS_EMAIL };
    const none = { JOBS: 'off', BTCPAY_PAYOUT_KEY: '', CCXT_API_KEY: '', CCXT_SECRET: '' };
    expect(refusal({ ...live, ...account, ...none, ...email })).toBe('accepted');
    expect(refusal({ ...live, ...account, ...none, ...payer })).toMatch(/^NOWPAYMENTS_PASSWORD: not allowed/);
  });

  test.each([
    ['a worker with an account and no password', { ...payer, NOWPAYMENTS_PASSWORD: '' }, 'NOWPAYMENTS_PASSWORD'],
    [
      'a worker with an account and no authenticator',
      { ...payer, NOWPAYMENTS_TOTP_SECRET: '' },
      'NOWPAYMENTS_TOTP_SECRET',
    ],
    ['an invalid authenticator secret', { ...payer, NOWPAYMENTS_TOTP_SECRET: '1234' }, 'NOWPAYMENTS_TOTP_SECRET'],
    ['a password without an account', { ...payer, NOWPAYMENTS_EMAIL: '' }, 'NOWPAYMENTS_EMAIL'],
    ['no key', { NOWPAYMENTS_API_KEY: '' }, 'NOWPAYMENTS_API_KEY'],
    ['a key of two lines', { NOWPAYMENTS_API_KEY: 'NP-KEY-0000\nx-other: 1' }, 'NOWPAYMENTS_API_KEY'],
    ['no secret', { NOWPAYMENTS_IPN_SECRET: '' }, 'NOWPAYMENTS_IPN_SECRET'],
    ['a weak secret', { NOWPAYMENTS_IPN_SECRET: 'fifteen-letters ' }, 'NOWPAYMENTS_IPN_SECRET'],
    ['an invalid address', { NOWPAYMENTS_URL: 'api.nowpayments' }, 'NOWPAYMENTS_URL'],
    ['no address for notifications', { PUBLIC_URL: '' }, 'PUBLIC_URL'],
    ['paper mode', { MODE: 'paper' }, 'PAYMENTS'],
    ['a simulated market', { MARKET_FEED: 'simulated', VENUE: 'paper' }, 'MARKET_FEED'],
    ['a paper venue', { VENUE: 'paper' }, 'VENUE'],
    ['payouts in test coins with real exchange keys', { CCXT_SANDBOX: '' }, 'BITCOIN_NETWORK'],
    [
      'its sandbox with real exchange keys',
      { NOWPAYMENTS_URL: 'https://api-sandbox.example', CCXT_SANDBOX: '', BITCOIN_NETWORK: '' },
      'NOWPAYMENTS_URL',
    ],
  ])('refuses %s', (_, env, name) => {
    expect(refusal({ ...staging, ...alone, ...env })).toMatch(new RegExp(`^${name}: `));
  });

  test('is refused in live mode without TLS', () => {
    expect(refusal({ ...live, ...account, NOWPAYMENTS_URL: 'http://pay.example' })).toBe(
      'NOWPAYMENTS_URL: must begin with https:// with MODE=live',
    );
  });
});

describe('live mode', () => {
  test('starts with all required settings', () => {
    expect(readConfig(live)).toMatchObject({ mode: 'live', payments: ['btcpay'], venue: 'ccxt' });
  });

  test.each([
    ['the embedded database', { DATABASE_URL: '' }, 'DATABASE_URL'],
    ['the demo world', { DEMO: '1' }, 'DEMO'],
    ['no legal entity', { LEGAL_ENTITY: '' }, 'LEGAL_ENTITY'],
    ['no list of countries', { BLOCKED_COUNTRIES: '' }, 'BLOCKED_COUNTRIES'],
    ['no mail', { SMTP_URL: '' }, 'SMTP_URL'],
    ['no address', { PUBLIC_URL: '' }, 'PUBLIC_URL'],
    ['an address without encryption', { PUBLIC_URL: 'http://tradewind.example' }, 'PUBLIC_URL'],
    ['a simulated market', { PAYMENTS: '', MARKET_FEED: 'simulated', VENUE: 'paper' }, 'MARKET_FEED'],
    ['a replayed market', { PAYMENTS: '', MARKET_FEED: 'replay', REPLAY_DATA: 'x', VENUE: 'paper' }, 'MARKET_FEED'],
    ['a paper venue', { PAYMENTS: '', VENUE: 'paper' }, 'VENUE'],
    ["the exchange's sandbox", { CCXT_SANDBOX: '1' }, 'CCXT_SANDBOX'],
    ['sandbox payments', { PAYMENTS: '' }, 'PAYMENTS'],
    ['test coins', { CCXT_SANDBOX: '1', BITCOIN_NETWORK: 'testnet' }, 'CCXT_SANDBOX'],
    ['test coins with real keys', { BITCOIN_NETWORK: 'testnet' }, 'BITCOIN_NETWORK'],
    ['no key of the exchange', { CCXT_API_KEY: '' }, 'CCXT_API_KEY'],
    ['no secret of the exchange', { CCXT_SECRET: '' }, 'CCXT_SECRET'],
    ['no webhook secret', { BTCPAY_WEBHOOK_SECRET: '' }, 'BTCPAY_WEBHOOK_SECRET'],
    ['nobody to confirm admins', { LEGAL_CONTACT_EMAIL: '' }, 'LEGAL_CONTACT_EMAIL'],
    ['the placeholder of the legal contact', { LEGAL_CONTACT_EMAIL: 'legal@tradewind.example' }, 'LEGAL_CONTACT_EMAIL'],
    ['the placeholder of support', { SUPPORT_EMAIL: '' }, 'SUPPORT_EMAIL'],
    ['the placeholder of the sender', { MAIL_FROM: '' }, 'MAIL_FROM'],
    ['one key for invoices and payouts', { BTCPAY_API_KEY: store.BTCPAY_PAYOUT_KEY }, 'BTCPAY_PAYOUT_KEY'],
    ['a payout key in a web process', { JOBS: 'off' }, 'BTCPAY_PAYOUT_KEY'],
    ['an exchange key in a web process', { JOBS: 'off', BTCPAY_PAYOUT_KEY: '' }, 'CCXT_API_KEY'],
    ['an exchange secret in a web process', { JOBS: 'off', BTCPAY_PAYOUT_KEY: '', CCXT_API_KEY: '' }, 'CCXT_SECRET'],
    [
      'an exchange password in a web process',
      { JOBS: 'off', BTCPAY_PAYOUT_KEY: '', CCXT_API_KEY: '', CCXT_SECRET: '', CCXT_PASSWORD: 'x' },
      'CCXT_PASSWORD',
    ],
    ['no password for an OKX key', { CCXT_EXCHANGE: 'okx' }, 'CCXT_PASSWORD'],
  ])('refuses %s', (_, env, name) => {
    expect(refusal({ ...live, ...env })).toMatch(new RegExp(`^${name}: `));
  });

  const database = 'postgresql://tradewind:hunter2@database.example:5432/tradewind';
  const encrypted = 'must begin with https://';
  const secureMail = 'must begin with smtps://, or end with ?requireTLS=true';
  const tls = 'must ask for TLS (sslmode=verify-full)';
  const certificates = 'must check certificates (sslmode=verify-full)';
  const noFile = 'the file of sslrootcert, sslcert or sslkey must be there';
  test.each([
    ['BTCPAY_URL', 'http://pay.example', encrypted],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://10.0.0.7:4318', encrypted],
    ['CCXT_URL', 'http://127.0.0.1.nip.example', encrypted],
    ['COINGECKO_URL', 'http://10.0.0.7/api', encrypted],
    ['PUBLIC_URL', 'http://localhost', 'must begin with https:'],
    ['SMTP_URL', 'smtp://user:hunter2@mail.example:587', secureMail],
    ['SMTP_URL', 'smtp://mail.example?requireTLS=false', secureMail],
    ['SMTP_URL', 'smtps://mail.example?tls.rejectUnauthorized=false', 'must check the certificate of the server'],
    ['DATABASE_URL', database, tls],
    ['DATABASE_URL', `${database}?sslmode=disable`, tls],
    ['DATABASE_URL', `${database}?sslmode=verify-full&sslmode=disable`, tls],
    ['DATABASE_URL', 'postgresql://u@127.0.0.1,10.0.0.7/d?target_session_attrs=read-write', tls],
    ['DATABASE_URL', 'postgresql://u@127.0.0.1/d?host=database.example', tls],
    ['DATABASE_URL', `${database}?sslmode=no-verify`, certificates],
    ['DATABASE_URL', `${database}?sslmode=require&uselibpqcompat=true`, certificates],
    ['DATABASE_URL', `${database}?sslmode=verify-full&sslrootcert=/no/such/file`, noFile],
    ['DATABASE_LISTEN_URL', database, tls],
  ])('refuses %s=%s, which can be eavesdropped on, without repeating its password', (name, value, reason) => {
    expect(refusal({ ...live, [name]: value })).toBe(`${name}: ${reason} with MODE=live`);
  });

  test.each([
    ['BTCPAY_URL', 'http://127.0.0.1:23000'],
    ['CCXT_URL', 'http://[::1]:8000'],
    ['COINGECKO_URL', 'http://localhost:8000'],
    ['SMTP_URL', 'smtp://127.0.0.1:25'],
    ['SMTP_URL', 'smtp://user:password@mail.example:587?requireTLS=true'],
    ['DATABASE_URL', 'postgresql://u@127.0.0.1:5432/d'],
    ['DATABASE_URL', 'postgresql://u@localhost,127.0.0.2/d'],
    ['DATABASE_URL', 'postgresql://u@/d?host=/run/postgresql'],
    ['DATABASE_URL', `${database}?sslmode=verify-full`],
    ['DATABASE_URL', `${database}?sslmode=verify-full&sslrootcert=${import.meta.filename}`],
  ])('accepts %s=%s', (name, value) => {
    expect(refusal({ ...live, [name]: value })).toBe('accepted');
  });
});

test('paper and staging accept addresses without TLS', () => {
  expect(refusal({ ...staging, BTCPAY_URL: 'http://pay.example' })).toBe('accepted');
  expect(refusal({ DATABASE_URL: 'postgresql://u@database.example/d', SMTP_URL: 'smtp://mail.example' })).toBe(
    'accepted',
  );
});

describe('a web process', () => {
  const none = { BTCPAY_PAYOUT_KEY: '', CCXT_API_KEY: '', CCXT_SECRET: '' };

  test.each([
    ['live', live],
    ['staging', staging],
  ])('starts in %s mode without a key that moves money', (mode, env) => {
    expect(readConfig({ ...env, ...none, JOBS: 'off' })).toMatchObject({
      mode,
      jobs: false,
      payments: ['btcpay'],
      venue: 'ccxt',
      venueKeys: undefined,
      btcpay: { apiKey: store.BTCPAY_API_KEY, payoutKey: undefined },
    });
  });

  test('ignores such a key outside live mode', () => {
    expect(readConfig({ ...staging, JOBS: 'off' })).toMatchObject({
      venueKeys: undefined,
      btcpay: { payoutKey: undefined },
    });
  });
});
