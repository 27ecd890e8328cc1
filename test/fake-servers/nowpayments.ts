import { createHmac } from 'node:crypto';
import { realPaymentsEnv } from './btcpay.ts';
import { openPayouts, type PayoutAnswer, type PayoutCall, refusal } from './nowpayments-payouts.ts';
import { answerOrInterfere, type Interference, readBody, sendAnswer, startNodeServer } from './serve-json.ts';

export type NowpaymentsCall = 'createPayment' | 'getPayment' | 'listPayments' | 'getBalance' | PayoutCall;

export type FakePayment = {
  readonly id: number;
  readonly parentId: number | null;
  readonly orderId: string;
  readonly orderDescription: string;
  readonly address: string;
  readonly priceAmount: number;
  readonly payAmount: number;
  readonly currency: string;
  readonly createdAt: number;
  status: string;
  /** In coins of `currency`. */
  paid: number;
  outcome: { readonly amount: number; readonly currency: string } | null;
  hash: string | null;
  updatedAt: number;
};

/** A notification: its raw body and headers. */
export type Ipn = { readonly paymentId: number; readonly rawBody: Buffer; readonly headers: Record<string, string> };

/** Set NOWPAYMENTS_URL to its `url`. */
export type FakeNowpayments = Awaited<ReturnType<typeof startNowpayments>>;

const addresses: Record<string, string> = {
  usdttrc20: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  usdtbsc: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  usdterc20: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
};

/** The statuses of a successful payment in order; other statuses can occur at any time. */
const way = ['waiting', 'confirming', 'confirmed', 'sending', 'finished'];

/**
 * The part of NOWPayments that the gateway uses, on 127.0.0.1: payments, repeated payments to the same address under
 * their own ids, a signed notification of every change, and payouts. As in the real API, a number is text in the reply
 * that creates a payment and a number elsewhere.
 */
export async function startNowpayments(now: () => number = Date.now) {
  const account = { apiKey: 'NP-KEY-0000-TEST', ipnSecret: 'a-secret-of-notifications' };
  const payments = new Map<number, FakePayment>();
  const ipns: Ipn[] = [];
  const callbackUrls = new Map<string, string>();
  const interferences: { readonly call: NowpaymentsCall; readonly with: Exclude<Interference, 'delay'> }[] = [];
  const calls: NowpaymentsCall[] = [];
  const balance = new Map<string, { amount: number | string; pendingAmount: number | string }>();
  let lastId = 5_800_000_000;
  const clock = { now };
  const payouts = openPayouts(clock);

  const get = (id: number | string): FakePayment => {
    const payment = payments.get(Number(id));
    if (payment === undefined) throw new Error(`no payment ${id}`);
    return payment;
  };
  const add = (given: Omit<FakePayment, 'id' | 'createdAt' | 'updatedAt' | 'status' | 'paid' | 'outcome' | 'hash'>) => {
    lastId += 1;
    const at = clock.now();
    const made = { status: 'waiting', paid: 0, outcome: null, hash: null, createdAt: at, updatedAt: at };
    const payment: FakePayment = { id: lastId, ...given, ...made };
    payments.set(payment.id, payment);
    return payment;
  };
  const changed = (payment: FakePayment, status: string) => {
    payment.status = status;
    payment.updatedAt = clock.now();
    ipns.push(writeIpn(account.ipnSecret, payment));
  };
  const goOn = (id: number | string, status: string) => {
    const payment = get(id);
    for (const step of way.slice(way.indexOf(payment.status) + 1, way.indexOf(status) + 1)) changed(payment, step);
  };

  const routes: [pattern: RegExp, NowpaymentsCall, answer: PayoutAnswer][] = [
    ...payouts.routes,
    [
      /^POST \/v1\/payment$/,
      'createPayment',
      (_, { body }) => {
        const address = addresses[String(body.pay_currency)];
        if (address === undefined || Number(body.price_amount) <= 0) return refusal(400, 'BAD_REQUEST', 'Bad request');
        callbackUrls.set(String(body.order_id), String(body.ipn_callback_url));
        const payment = add({
          parentId: null,
          orderId: String(body.order_id),
          orderDescription: String(body.order_description),
          address,
          priceAmount: Number(body.price_amount),
          payAmount: Number(body.pay_amount ?? body.price_amount),
          currency: String(body.pay_currency),
        });
        return { status: 201, body: showCreated(payment) };
      },
    ],
    [
      /^GET \/v1\/payment\/([^/]+)$/,
      'getPayment',
      (id) => {
        const payment = payments.get(Number(id));
        if (payment === undefined) return refusal(404, 'PAYMENT_NOT_FOUND', 'Payment not found');
        const extras = [...payments.values()].filter(({ parentId }) => parentId === payment.id).map((one) => one.id);
        return { status: 200, body: showFound(payment, node.namesLater ? extras : []) };
      },
    ],
    [
      /^GET \/v1\/payment\/$/,
      'listPayments',
      payouts.signed((_, { query }) => {
        const [from, to] = ['dateFrom', 'dateTo'].map((name) => Date.parse(query.get(name) ?? '')) as [number, number];
        const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
        const found = [...payments.values()].filter(({ createdAt }) => createdAt >= from && createdAt <= to);
        const rows = found.slice(page * limit, (page + 1) * limit);
        const data = rows.map((payment) => ({ ...showFound(payment, []), parent_payment_id: payment.parentId }));
        const of = { limit, page, pagesCount: Math.ceil(found.length / limit), total: found.length };
        return { status: 200, body: { data, ...of } };
      }),
    ],
    [/^GET \/v1\/balance$/, 'getBalance', () => ({ status: 200, body: Object.fromEntries(balance) })],
  ];

  const { origin, ...server } = await startNodeServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://nowpayments');
    const text = await readBody(request);
    if (url.pathname === '/v1/status') return sendAnswer(response, { status: 200, body: { message: 'OK' } });
    if (request.headers['x-api-key'] !== account.apiKey)
      return sendAnswer(response, refusal(403, 'INVALID_API_KEY', 'Invalid api key'));
    for (const [pattern, call, answer] of routes) {
      const found = pattern.exec(`${request.method} ${url.pathname}`);
      if (found === null) continue;
      calls.push(call);
      const body = text === '' ? {} : JSON.parse(text);
      const asked = { body, query: url.searchParams, authorization: request.headers.authorization };
      return answerOrInterfere(interferences, call, response, () => answer(decodeURIComponent(found[1] ?? ''), asked));
    }
    return sendAnswer(response, refusal(404, 'NOT_FOUND', 'Not found'));
  });

  const node = {
    ...account,
    ...server,
    url: origin,
    clock,
    payments,
    /** Undelivered notifications, oldest first. */
    ipns,
    callbackUrls,
    balance,
    payouts,
    interferences,
    calls,
    /** Whether the first payment lists the later ones to its address; some replies omit them. */
    namesLater: true,
    get,
    /** The coins are seen on the network: `confirming`. */
    pay: (id: number | string, coins: number) => {
      const payment = get(id);
      payment.paid = coins;
      payment.hash = createHmac('sha256', 'hash').update(String(payment.id)).digest('hex');
      changed(payment, 'confirming');
    },
    /** Passes through every status up to `finished`. */
    finish: (id: number | string) => goOn(id, 'finished'),
    /** Less than the requested amount has arrived. */
    finishPart: (id: number | string) => changed(get(id), 'partially_paid'),
    /** Sets any status, at any time. */
    change: (id: number | string, status: string) => changed(get(id), status),
    /** Another payment to the same address. In a different coin, `outcome` is what it is converted to. */
    payAgain: (
      id: number | string,
      coins: number,
      other?: { currency: string; outcome: { amount: number; currency: string } },
    ) => {
      const { orderId, orderDescription, address, priceAmount, payAmount, currency, id: parentId } = get(id);
      const about = { orderId, orderDescription, address, priceAmount, payAmount };
      const payment = add({ parentId, ...about, currency: other?.currency ?? currency });
      payment.paid = coins;
      payment.outcome = other?.outcome ?? null;
      changed(payment, 'confirming');
      return payment.id;
    },
    /** Delivers all pending notifications to the callback URL of each payment. */
    tell: async () => {
      const statuses: number[] = [];
      for (const ipn of ipns.splice(0)) {
        const url = callbackUrls.get(get(ipn.paymentId).orderId) as string;
        const answer = await fetch(url, { method: 'POST', headers: ipn.headers, body: new Uint8Array(ipn.rawBody) });
        await answer.body?.cancel();
        statuses.push(answer.status);
      }
      return statuses;
    },
  };
  return node;
}

/** The settings of a server that takes payments here. */
export const nowpaymentsEnv = (node: FakeNowpayments): Record<string, string> => ({
  ...realPaymentsEnv,
  PAYMENTS: 'nowpayments',
  NOWPAYMENTS_URL: node.url,
  NOWPAYMENTS_API_KEY: node.apiKey,
  NOWPAYMENTS_IPN_SECRET: node.ipnSecret,
});

/** The same, with USDT payouts. */
export const nowpaymentsPayerEnv = (node: FakeNowpayments): Record<string, string> => ({
  ...nowpaymentsEnv(node),
  NOWPAYMENTS_EMAIL: node.payouts.email,
  NOWPAYMENTS_PASSWORD: node.payouts.password,
  NOWPAYMENTS_TOTP_SECRET: node.payouts.totpSecret,
});

const showCreated = (payment: FakePayment) => ({
  payment_id: String(payment.id),
  payment_status: payment.status,
  pay_address: payment.address,
  price_amount: payment.priceAmount,
  price_currency: 'usd',
  pay_amount: payment.payAmount,
  pay_currency: payment.currency,
  order_id: payment.orderId,
  order_description: payment.orderDescription,
  created_at: new Date(payment.createdAt).toISOString(),
  updated_at: new Date(payment.updatedAt).toISOString(),
  purchase_id: '5837122679',
  amount_received: null,
  payin_extra_id: null,
  smart_contract: '',
  network_precision: 6,
  time_limit: null,
  burning_percent: null,
  expiration_estimate_date: new Date(payment.createdAt + 7 * 24 * 3_600_000).toISOString(),
});

const showFound = (payment: FakePayment, extras: readonly number[]) => ({
  payment_id: payment.id,
  invoice_id: null,
  payment_status: payment.status,
  pay_address: payment.address,
  payin_extra_id: null,
  price_amount: payment.priceAmount,
  price_currency: 'usd',
  pay_amount: payment.payAmount,
  // Text for odd ids: callers must accept both.
  actually_paid: payment.id % 2 === 0 ? payment.paid : String(payment.paid),
  pay_currency: payment.currency,
  order_id: payment.orderId,
  order_description: payment.orderDescription,
  purchase_id: 5_312_822_613,
  outcome_amount: payment.outcome?.amount ?? payment.paid,
  outcome_currency: payment.outcome?.currency ?? payment.currency,
  payout_hash: null,
  payin_hash: payment.hash,
  created_at: new Date(payment.createdAt).toISOString(),
  updated_at: new Date(payment.updatedAt).toISOString(),
  burning_percent: 'null',
  type: 'crypto2crypto',
  payment_extra_ids: extras.length === 0 ? null : extras,
});

/** Compact JSON with sorted keys, as NOWPayments sends it. */
export function writeIpn(secret: string, payment: FakePayment): Ipn {
  const text = JSON.stringify({
    actually_paid: payment.paid,
    actually_paid_at_fiat: 0,
    fee: { currency: payment.currency, depositFee: 0.1, serviceFee: 1e-7, withdrawalFee: 0 },
    invoice_id: null,
    order_description: payment.orderDescription,
    order_id: payment.orderId,
    outcome_amount: payment.outcome?.amount ?? payment.paid,
    outcome_currency: payment.outcome?.currency ?? payment.currency,
    parent_payment_id: payment.parentId,
    pay_address: payment.address,
    pay_amount: payment.payAmount,
    pay_currency: payment.currency,
    payin_extra_id: null,
    payment_extra_ids: null,
    payment_id: payment.id,
    payment_status: payment.status,
    price_amount: payment.priceAmount,
    price_currency: 'usd',
    purchase_id: '5170000001',
    updated_at: payment.updatedAt,
  });
  return { paymentId: payment.id, ...signIpnText(secret, text) };
}

export function signIpnText(secret: string, text: string): { rawBody: Buffer; headers: Record<string, string> } {
  const signature = createHmac('sha512', secret).update(text).digest('hex');
  return {
    rawBody: Buffer.from(text),
    headers: { 'content-type': 'application/json', 'x-nowpayments-sig': signature },
  };
}
