import {
  confirmPayments,
  createInvoice,
  endMonitoring,
  expireInvoice,
  getInvoice,
  type InvoiceStore,
  listInvoices,
  listReceived,
  makeId,
  markInvoice,
  payInvoice,
  replacePayments,
  showInvoice,
  showMoved,
  showPaymentMethods,
} from './btcpay-invoices.ts';
import {
  cancelPayout,
  completePayout,
  createPayout,
  listPayouts,
  type PayoutStore,
  sendPayout,
  showPayout,
  showTransaction,
} from './btcpay-payouts.ts';
import { openOutbox, type WebhookOutbox } from './btcpay-webhooks.ts';
import type { Interference } from './serve-json.ts';
import { type Answer, answerOrInterfere, readBody, sendAnswer, startNodeServer } from './serve-json.ts';

export type BtcpayCall =
  | 'createInvoice'
  | 'listInvoices'
  | 'getInvoice'
  | 'listPaymentMethods'
  | 'getRates'
  | 'listStoreMethods'
  | 'getStoreWallet'
  | 'getTransaction'
  | 'listTransactions'
  | 'getLightningBalance'
  | 'createPayout'
  | 'listPayouts'
  | 'getPayout';

/** Set BTCPAY_URL to its `url`. */
export type FakeBtcpay = InvoiceStore & {
  readonly apiKey: string;
  readonly payoutKey: string;
  readonly webhookSecret: string;
  readonly payouts: PayoutStore;
  /** Balances of the store's wallets, by payment method. */
  readonly wallets: Map<string, string>;
  /** Balances that the store's Lightning node reports: satoshi on-chain, millisatoshi in channels. */
  lightning: {
    onchain: { confirmed: string; unconfirmed: string; reserved: string } | null;
    offchain: { opening: string; local: string | null; remote: string; closing: string } | null;
  };
  /** Wallet transactions that are neither payments nor payouts, in signed Bitcoin. */
  readonly strange: { readonly hash: string; readonly amount: string; readonly at: number }[];
  /** The network fee of each wallet transaction, in Bitcoin. */
  networkFee: string;
  readonly outbox: WebhookOutbox;
  /** Each applies to the first call it names, and is then removed. */
  readonly interferences: { readonly call: BtcpayCall; readonly with: Exclude<Interference, 'delay'> }[];
  /** All accepted calls, oldest first. */
  readonly calls: BtcpayCall[];
  /** Actions of payers, miners and the store's owner. */
  readonly pay: (invoiceId: string, dollars: number | string) => string;
  readonly confirm: (invoiceId: string) => void;
  readonly replace: (invoiceId: string) => void;
  readonly expire: (invoiceId: string) => void;
  readonly endMonitoring: (invoiceId: string) => void;
  readonly mark: (invoiceId: string, status: 'Settled' | 'Invalid') => void;
  readonly sendPayout: (...payoutIds: string[]) => string;
  readonly completePayout: (payoutId: string) => void;
  readonly cancelPayout: (payoutId: string) => void;
  /** Connections are refused until `comeBack`. */
  readonly goAway: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Asked = { readonly id: string; readonly query: URLSearchParams; readonly body: Record<string, unknown> };
type Route = { readonly call: BtcpayCall; readonly answer: (asked: Asked) => Answer };

/** The calls that the invoice key allows and the payout key does not. Both keys can read rates. */
const invoiceCalls: readonly BtcpayCall[] = ['createInvoice', 'listInvoices', 'getInvoice', 'listPaymentMethods'];

const unknown = (code: string): Answer => ({ status: 404, body: { code, message: 'It was not found' } });

/**
 * The part of a BTCPay Server store that the gateway uses, on 127.0.0.1: Greenfield API, invoices, payouts and signed
 * webhooks. It does its own accounting, which tests compare with our ledger.
 */
export async function startBtcpay(now: () => number = Date.now): Promise<FakeBtcpay> {
  const store = {
    storeId: makeId(),
    apiKey: `key-${makeId()}`,
    payoutKey: `payout-key-${makeId()}`,
    webhookSecret: `webhook-secret-${makeId()}`,
  };
  const payouts: PayoutStore = [];
  const wallets = new Map([['BTC-CHAIN', '0']]);
  const interferences: FakeBtcpay['interferences'] = [];
  const calls: BtcpayCall[] = [];
  const books: InvoiceStore = { ...store, url: '', now, rate: '50000', invoices: new Map(), events: [] };

  const ofInvoice = (id: string, show: (invoice: ReturnType<typeof getInvoice>) => unknown): Answer =>
    books.invoices.has(id) ? { status: 200, body: show(getInvoice(books, id)) } : unknown('invoice-not-found');

  const inStore = `/api/v1/stores/${store.storeId}`;
  const routes: [pattern: RegExp, Route][] = [
    [
      new RegExp(`^POST ${inStore}/invoices$`),
      { call: 'createInvoice', answer: ({ body }) => createInvoice(books, body) },
    ],
    [
      new RegExp(`^GET ${inStore}/invoices$`),
      { call: 'listInvoices', answer: ({ query }) => listInvoices(books, query) },
    ],
    [
      /^GET \/api\/v1\/invoices\/([^/]+)$/,
      { call: 'getInvoice', answer: ({ id }) => ofInvoice(id, (invoice) => showInvoice(books, invoice)) },
    ],
    [
      /^GET \/api\/v1\/invoices\/([^/]+)\/payment-methods$/,
      { call: 'listPaymentMethods', answer: ({ id }) => ofInvoice(id, showPaymentMethods) },
    ],
    [
      new RegExp(`^GET ${inStore}/rates$`),
      { call: 'getRates', answer: ({ query }) => showRates(books.rate, query.getAll('currencyPair')) },
    ],
    [
      new RegExp(`^GET ${inStore}/payment-methods$`),
      {
        call: 'listStoreMethods',
        answer: () => ({
          status: 200,
          body: [...wallets.keys()].map((paymentMethodId) => ({ paymentMethodId, enabled: true })),
        }),
      },
    ],
    [
      new RegExp(`^GET ${inStore}/payment-methods/([^/]+)/wallet$`),
      {
        call: 'getStoreWallet',
        answer: ({ id }) => {
          const balance = wallets.get(id);
          if (balance === undefined) return unknown('paymentmethod-not-found');
          return { status: 200, body: { balance, confirmedBalance: balance, unconfirmedBalance: '0' } };
        },
      },
    ],
    [
      new RegExp(`^GET ${inStore}/payment-methods/BTC-CHAIN/wallet/transactions/([^/]+)$`),
      {
        call: 'getTransaction',
        answer: ({ id }) => {
          const body = showTransaction(payouts, id, node.networkFee);
          return body === undefined ? unknown('transaction-not-found') : { status: 200, body };
        },
      },
    ],
    [
      new RegExp(`^GET ${inStore}/payment-methods/BTC-CHAIN/wallet/transactions$`),
      {
        call: 'listTransactions',
        answer: ({ query }) => {
          const made = new Set(payouts.flatMap(({ transaction }) => transaction ?? []));
          const sent = [...made].flatMap((hash) => showTransaction(payouts, hash, node.networkFee) ?? []);
          const strange = node.strange.map(({ hash, amount, at }) => showMoved(hash, amount, Math.floor(at / 1000)));
          const all = [...sent, ...listReceived(books), ...strange].toSorted((a, b) => b.timestamp - a.timestamp);
          const [skip, limit] = [Number(query.get('skip')), Number(query.get('limit'))];
          return { status: 200, body: all.slice(skip, skip + limit) };
        },
      },
    ],
    [
      new RegExp(`^GET ${inStore}/lightning/BTC/balance$`),
      {
        call: 'getLightningBalance',
        answer: () =>
          wallets.has('BTC-LN') || wallets.has('BTC-LNURL')
            ? { status: 200, body: node.lightning }
            : unknown('lightning-node-not-configured'),
      },
    ],
    [
      new RegExp(`^POST ${inStore}/payouts$`),
      { call: 'createPayout', answer: ({ body }) => createPayout(payouts, body, books.now()) },
    ],
    [
      new RegExp(`^GET ${inStore}/payouts$`),
      { call: 'listPayouts', answer: ({ query }) => listPayouts(payouts, query.get('includeCancelled') === 'true') },
    ],
    [
      new RegExp(`^GET ${inStore}/payouts/([^/]+)$`),
      {
        call: 'getPayout',
        answer: ({ id }) => {
          const payout = payouts.find((one) => one.id === id);
          return payout === undefined ? unknown('payout-not-found') : { status: 200, body: showPayout(payout) };
        },
      },
    ],
  ];

  const { origin, ...server } = await startNodeServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://btcpay');
    const text = await readBody(request);
    const given = request.headers.authorization;
    if (given !== `token ${store.apiKey}` && given !== `token ${store.payoutKey}`)
      return sendAnswer(response, {
        status: 401,
        body: { code: 'unauthenticated', message: 'Authentication is required' },
      });
    const name = `${request.method} ${url.pathname}`;
    for (const [pattern, { call, answer }] of routes) {
      const found = pattern.exec(name);
      if (found === null) continue;
      const needed = invoiceCalls.includes(call) ? store.apiKey : store.payoutKey;
      if (call !== 'getRates' && given !== `token ${needed}`) break;
      calls.push(call);
      const body = text === '' ? {} : JSON.parse(text);
      const asked = { id: decodeURIComponent(found[1] ?? ''), query: url.searchParams, body };
      return answerOrInterfere(interferences, call, response, () => answer(asked));
    }
    return sendAnswer(response, { status: 403, body: { code: 'missing-permission', message: 'Not of this key' } });
  });

  books.url = origin;
  const node: FakeBtcpay = Object.assign(books, {
    ...store,
    payouts,
    wallets,
    lightning: {
      onchain: { confirmed: '0', unconfirmed: '0', reserved: '0' },
      offchain: { opening: '0', local: '0', remote: '0', closing: '0' },
    },
    strange: [],
    networkFee: '0.00002',
    outbox: openOutbox({ ...store, now: () => books.now() }, books.events),
    interferences,
    calls,
    pay: (invoiceId: string, dollars: number | string) => payInvoice(books, invoiceId, dollars).id,
    confirm: (invoiceId: string) => confirmPayments(books, invoiceId),
    replace: (invoiceId: string) => replacePayments(books, invoiceId),
    expire: (invoiceId: string) => expireInvoice(books, invoiceId),
    endMonitoring: (invoiceId: string) => endMonitoring(books, invoiceId),
    mark: (invoiceId: string, status: 'Settled' | 'Invalid') => markInvoice(books, invoiceId, status),
    sendPayout: (...payoutIds: string[]) => sendPayout(payouts, ...payoutIds),
    completePayout: (payoutId: string) => completePayout(payouts, payoutId),
    cancelPayout: (payoutId: string) => cancelPayout(payouts, payoutId),
    ...server,
  });
  return node;
}

/**
 * What real payments require besides a gateway: an exchange as venue. A test that runs the market sets `CCXT_URL` to
 * it.
 */
export const realPaymentsEnv = {
  MODE: 'staging',
  SMTP_URL: 'smtp://127.0.0.1:1',
  PUBLIC_URL: 'https://tradewind.example',
  MARKET_FEED: 'ccxt',
  VENUE: 'ccxt',
  CCXT_EXCHANGE: 'binance',
  CCXT_API_KEY: 'key',
  CCXT_SECRET: 'secret',
  CCXT_SANDBOX: '1',
};

/** The settings of a server that takes payments here. */
export const btcpayEnv = (node: FakeBtcpay): Record<string, string> => ({
  ...realPaymentsEnv,
  PAYMENTS: 'btcpay',
  BTCPAY_URL: node.url,
  BTCPAY_STORE_ID: node.storeId,
  BTCPAY_API_KEY: node.apiKey,
  BTCPAY_PAYOUT_KEY: node.payoutKey,
  BTCPAY_WEBHOOK_SECRET: node.webhookSecret,
});

function showRates(rate: string, pairs: readonly string[]): Answer {
  return {
    status: 200,
    body: pairs.map((currencyPair) =>
      currencyPair === 'BTC_USD'
        ? { currencyPair, errors: [], rate }
        : { currencyPair, errors: ['No rate'], rate: null },
    ),
  };
}
