import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { codeAt } from '#test/worlds/operators.ts';
import type { Answer } from './serve-json.ts';

export type PayoutCall = 'signIn' | 'createPayout' | 'verifyPayout' | 'getPayout' | 'listPayouts' | 'getPayoutFee';

export type PayoutAnswer = (
  id: string,
  asked: {
    readonly body: Record<string, unknown>;
    readonly query: URLSearchParams;
    readonly authorization: string | undefined;
  },
) => Answer;

/** A withdrawal within a batch; batches hold a single one, except those added by `addForeign`. */
export type FakePayout = {
  readonly id: string;
  readonly address: string;
  readonly currency: string;
  readonly amount: number;
  readonly reference: string | null;
  readonly createdAt: number;
  status: 'CREATING' | 'WAITING' | 'PROCESSING' | 'SENDING' | 'FINISHED' | 'FAILED' | 'REJECTED';
  attempts: number;
  requestedAt: number | null;
  hash: string | null;
  fee: number | string | null;
};

const HOUR_MS = 3_600_000;
const TOKEN_LIVES_MS = 5 * 60_000;
const MAX_ATTEMPTS = 10;

/** Network fees, in coins. */
const fees: Record<string, number> = { usdttrc20: 1.2, usdtbsc: 0.15, usdterc20: 2.75 };

export const refusal = (statusCode: number, code: string, message: string): Answer => ({
  status: statusCode,
  body: { status: false, statusCode, code, message },
});

/**
 * The payouts of an account. Signing in with its password gives a token for five minutes. A payout must be confirmed
 * with a code of the account's authenticator, and is rejected after an hour or ten wrong codes.
 */
export function openPayouts(clock: { now: () => number }) {
  const secret = randomBytes(20);
  const account = {
    email: 'payer@company.test',
    password: 'password-of-the-payer',
    totpSecret: base32nopad.encode(secret),
  };
  const tokens = new Map<string, number>();
  /** All payouts, oldest first. */
  const made: FakePayout[] = [];
  const settings = {
    fees,
    /** How the list is wrapped, the number of the first page, and the page size. */
    listAs: 'payouts' as 'payouts' | 'data' | null,
    firstPage: 0,
    maxOnPage: 100,
  };

  const get = (id: string): FakePayout => {
    const payout = made.find((one) => one.id === id);
    assert(payout !== undefined, `no payout ${id}`);
    if (payout.status === 'CREATING' && clock.now() - payout.createdAt > HOUR_MS) payout.status = 'REJECTED';
    return payout;
  };
  const signed =
    (answer: PayoutAnswer): PayoutAnswer =>
    (id, asked) => {
      const token = asked.authorization?.replace(/^Bearer /, '') ?? '';
      return (tokens.get(token) ?? 0) > clock.now()
        ? answer(id, asked)
        : refusal(401, 'AUTH_REQUIRED', 'Authorization required');
    };
  const known =
    (answer: (payout: FakePayout, body: Record<string, unknown>) => Answer): PayoutAnswer =>
    (id, { body }) =>
      made.some((one) => one.id === id) ? answer(get(id), body) : refusal(404, 'NOT_FOUND', 'Payout not found');

  const add = (
    given: Pick<FakePayout, 'address' | 'currency' | 'amount' | 'reference'>,
    status: FakePayout['status'] = 'CREATING',
    id?: string,
  ) => {
    const payout: FakePayout = {
      id: id ?? String(5_000_000_000 + made.length),
      createdAt: clock.now(),
      status,
      ...given,
      attempts: 0,
      requestedAt: null,
      hash: null,
      fee: null,
    };
    made.push(payout);
    return payout;
  };

  const create: PayoutAnswer = (_, { body }) => {
    const [asked, ...more] = body.withdrawals as Record<string, unknown>[];
    assert(asked !== undefined && more.length === 0, 'a batch of one');
    const { address, currency, amount, unique_external_id: reference } = asked;
    if (!(String(currency) in fees) || typeof amount !== 'number' || !/^\d+(\.\d{1,6})?$/.test(String(amount)))
      return refusal(400, 'BAD_CREATE_WITHDRAWAL_REQUEST', 'Invalid currency or amount');
    const about = { address: String(address), currency: String(currency), amount };
    const payout = add({ ...about, reference: typeof reference === 'string' ? reference : null });
    return { status: 200, body: { id: payout.id, withdrawals: [show(payout)] } };
  };

  const verify = known((payout, { verification_code: code }) => {
    if (payout.status !== 'CREATING') return refusal(400, 'BAD_REQUEST', 'Payout is already verified');
    payout.attempts += 1;
    const isRight = [0, 30_000].some((late) => codeAt(secret, new Date(clock.now() - late)) === code);
    if (!isRight || payout.attempts > MAX_ATTEMPTS) return refusal(400, 'INVALID_CODE', 'Invalid verification code');
    payout.status = 'PROCESSING';
    payout.requestedAt = clock.now();
    return { status: 200, body: 'OK' };
  });

  const list: PayoutAnswer = (_, { query }) => {
    const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
    const size = Math.min(limit, settings.maxOnPage);
    for (const { id } of made) get(id);
    const newestFirst = made.map(show).toReversed();
    const from = Math.max(page - settings.firstPage, 0) * size;
    const rows = newestFirst.slice(from, from + size);
    return { status: 200, body: settings.listAs === null ? rows : { [settings.listAs]: rows } };
  };

  const routes: [pattern: RegExp, PayoutCall, PayoutAnswer][] = [
    [
      /^POST \/v1\/auth$/,
      'signIn',
      (_, { body: { email, password } }) => {
        if (email !== account.email || password !== account.password)
          return refusal(403, 'ACCESS_DENIED', 'Invalid credentials');
        const token = `e30.${randomBytes(24).toString('base64url')}`;
        tokens.set(token, clock.now() + TOKEN_LIVES_MS);
        return { status: 200, body: { token } };
      },
    ],
    [
      /^GET \/v1\/payout\/fee$/,
      'getPayoutFee',
      (_, { query }) => {
        const currency = query.get('currency') ?? '';
        return { status: 200, body: { currency, fee: settings.fees[currency] } };
      },
    ],
    [/^POST \/v1\/payout$/, 'createPayout', signed(create)],
    [/^POST \/v1\/payout\/([^/]+)\/verify$/, 'verifyPayout', signed(verify)],
    [/^GET \/v1\/payout$/, 'listPayouts', signed(list)],
    // Alternates between a list and the batch: callers must accept both.
    [
      /^GET \/v1\/payout\/([^/]+)$/,
      'getPayout',
      signed(
        known((payout) => {
          const withdrawals = made.filter(({ id }) => id === payout.id).map(show);
          return { status: 200, body: Number(payout.id) % 2 === 0 ? withdrawals : { id: payout.id, withdrawals } };
        }),
      ),
    ],
  ];

  const node = {
    ...account,
    settings,
    made,
    get,
    signed,
    /** Payouts that another client made and sent, in one batch. */
    addForeign: (address: string, currency: string, ...amounts: number[]) => {
      let id: string | undefined;
      for (const amount of amounts) ({ id } = add({ address, currency, amount, reference: null }, 'FINISHED', id));
    },
    routes,
    /** Revokes all tokens. */
    endTokens: () => tokens.clear(),
    /** Sends it: it gets a transaction hash and a network fee. */
    send: (id: string) => {
      const payout = get(id);
      assert.equal(payout.status, 'PROCESSING');
      const fee = settings.fees[payout.currency] ?? null;
      // Text for odd ids: callers must accept both.
      const shown = Number(id) % 2 === 0 ? fee : String(fee);
      Object.assign(payout, { status: 'SENDING', hash: randomBytes(32).toString('hex'), fee: shown });
    },
    finish: (id: string) => {
      if (get(id).status === 'PROCESSING') node.send(id);
      get(id).status = 'FINISHED';
    },
  };
  return node;
}

const show = (payout: FakePayout) => ({
  is_request_payouts: false,
  id: String(Number(payout.id) + 1_000_000),
  batch_withdrawal_id: payout.id,
  address: payout.address,
  currency: payout.currency,
  amount: String(payout.amount),
  ipn_callback_url: null,
  status: payout.status,
  extra_id: null,
  hash: payout.hash,
  error: null,
  fee: payout.fee,
  payout_description: null,
  unique_external_id: payout.reference,
  requested_at: payout.requestedAt === null ? null : new Date(payout.requestedAt).toISOString(),
  created_at: new Date(payout.createdAt).toISOString(),
  updated_at: null,
});
