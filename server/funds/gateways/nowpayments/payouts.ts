import assert from 'node:assert/strict';
import { z } from 'zod';
import { totpOf } from '#server/accounts/index.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import {
  CallFailed,
  callServer,
  type GatewayCall,
  type GatewayServer,
  orUnavailable,
  orUnknown,
  queryServer,
  undefinedWhenMissing,
} from '../call-server.ts';
import type { Gateway, OperatorPayouts, Payout, PayoutOrder } from '../gateway.ts';
import { type AuthenticatedCall, listBatches } from './list-batches.ts';
import { listEntries } from './list-entries.ts';
import { dollarNetworks, isDollar, isDollarNetwork } from './networks.ts';
import { createdShape, feeShape, payoutShape, tokenShape, toMicros, type Withdrawal } from './shapes.ts';

/** The documented lifetime is five minutes. */
const TOKEN_LIVES_MS = 4 * 60_000;
/** Spreads the ten allowed confirmation attempts over the hour in which a payout can be confirmed. */
const CONFIRM_INTERVAL_MS = 6 * 60_000;
/** Any amount: the network fee of a token does not depend on it. */
const ESTIMATED_DOLLARS = '100';

type Account = NonNullable<Config['nowpayments']>;

/**
 * Payouts in USDT at par, each a batch of one. As documented, a batch is held until it is confirmed with a code of the
 * account's authenticator and is rejected after an hour; there are ten attempts. Each withdrawal has a
 * `unique_external_id`, which is not documented as enforced or searchable, so we search the list for it.
 */
export function nowpaymentsPayouts(
  context: Context,
  account: Account,
  server: GatewayServer,
): OperatorPayouts & Pick<Gateway, 'confirmPayout' | 'estimateNetworkFee' | 'listEntries'> {
  const call: AuthenticatedCall = (request, shape) => callSignedIn(context, account, server, request, shape);
  const find = (payoutId: string): Promise<Withdrawal | undefined> =>
    orUnavailable(server, call({ method: 'GET', path: pathOf(payoutId) }, payoutShape).catch(undefinedWhenMissing));
  const getPayout = async (payoutId: string, order: PayoutOrder): Promise<Payout | undefined> => {
    const found = await find(payoutId);
    if (found === undefined) return undefined;
    const { hash, fee, currency } = found;
    const networkFeeMicros = fee && isDollar(currency) ? toMicros(fee) : null;
    return { id: payoutId, state: stateOf(found, order), transaction: hash || null, units: null, networkFeeMicros };
  };
  return {
    canPay: (network) => account.payoutEmail !== undefined && isDollarNetwork(network),
    createPayout: (order) => orUnavailable(server, createPayout(call, order)),
    confirmPayout: async (payoutId, order) => {
      if ((await getPayout(payoutId, order))?.state !== 'unconfirmed') return;
      if (!isTimeToConfirm(account, payoutId, context.now().getTime())) return;
      const body = { verification_code: totpOf(keysOf(account).totpSecret, context.now()) };
      await orUnavailable(server, call({ method: 'POST', path: `${pathOf(payoutId)}/verify`, body }, z.unknown()));
    },
    findPayout: async (order, since) => {
      const ids = await orUnavailable(server, findIds(call, order.reference, since));
      const payouts = await Promise.all(ids.map((id) => getPayout(id, order)));
      const found = payouts.filter((payout) => payout !== undefined);
      return found.find(({ state }) => state !== 'cancelled') ?? found[0];
    },
    getPayout,
    // Listing payments needs the same sign-in as payouts.
    ...(account.payoutEmail !== undefined && {
      listEntries: (from: Date, to: Date) => orUnavailable(server, listEntries(call, from, to)),
    }),
    estimateNetworkFee: async (network) => {
      if (account.payoutEmail === undefined || !isDollarNetwork(network)) return undefined;
      const query = { currency: dollarNetworks[network].currency, amount: ESTIMATED_DOLLARS };
      const called = callServer(server, { method: 'GET', path: '/payout/fee', query }, feeShape).then((reply) => {
        if (isDollar(reply.currency ?? query.currency)) return toMicros(reply.fee);
        throw new CallFailed(`GET /payout/fee answered in ${reply.currency}`, 200, true);
      });
      return orUnavailable(server, called);
    },
  };
}

const pathOf = (payoutId: string) => `/payout/${encodeURIComponent(payoutId)}`;

/** Not idempotent. Only the id of the reply is used: the payout is checked before it is confirmed. */
async function createPayout(
  call: AuthenticatedCall,
  { reference, network, address, amountMicros }: PayoutOrder,
): Promise<Payout> {
  assert(isDollarNetwork(network), 'USDT on one of its networks');
  const { currency } = dollarNetworks[network];
  const withdrawal = { address, currency, amount: Number(amountMicros) / 1_000_000, unique_external_id: reference };
  const request = { method: 'POST', path: '/payout', body: { withdrawals: [withdrawal] } } as const;
  const { id } = await orUnknown(reference, call(request, createdShape));
  return { id, state: 'unconfirmed', transaction: null, units: null, networkFeeMicros: null };
}

/** A waiting payout that was not sent to the network may still be unconfirmed; confirming it again has no effect. */
function stateOf(payout: Withdrawal, order: PayoutOrder): Payout['state'] {
  const { status, hash, requested_at: requestedAt } = payout;
  if (status === 'rejected' || status === 'failed') return 'cancelled';
  if (!isAsOrdered(payout, order)) return 'uncertain';
  if (status === 'finished') return 'completed';
  const isNew = status === 'creating' || status === 'waiting';
  return isNew && !requestedAt && !hash ? 'unconfirmed' : 'waiting';
}

function isAsOrdered({ address, currency, amount }: Withdrawal, order: PayoutOrder): boolean {
  const isThere = order.network === 'TRC20' ? address === order.address : sameText(address, order.address);
  const coin = isDollarNetwork(order.network) ? dollarNetworks[order.network].currency : '';
  return isThere && sameText(currency, coin) && amount.times(1_000_000).eq(order.amountMicros.toString());
}

const sameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Ids of the batches with a reference. */
async function findIds(call: AuthenticatedCall, reference: string, since = new Date(0)): Promise<string[]> {
  const batches = await listBatches(call, since);
  return batches.filter(({ references }) => references.has(reference)).map(({ id }) => id);
}

type Session = {
  token: { readonly text: Promise<string>; readonly until: number } | undefined;
  /** Time of the last confirmation attempt by payout. */
  readonly attempts: Map<string, number>;
};

/** Tokens are only stored in this process's memory. */
const sessions = new WeakMap<Account, Session>();

function sessionOf(account: Account): Session {
  const session = sessions.get(account) ?? { token: undefined, attempts: new Map() };
  sessions.set(account, session);
  return session;
}

function isTimeToConfirm(account: Account, payoutId: string, now: number): boolean {
  const { attempts } = sessionOf(account);
  for (const [id, at] of attempts) if (now - at >= CONFIRM_INTERVAL_MS) attempts.delete(id);
  if (attempts.has(payoutId)) return false;
  attempts.set(payoutId, now);
  return true;
}

/** Processes without the keys cannot move money, and never call this. */
function keysOf({ payoutEmail: email, payoutKeys }: Account) {
  assert(email !== undefined && payoutKeys !== undefined, 'payouts are made by the worker, which has the keys');
  return { email, ...payoutKeys };
}

/** Calls with the token, and retries once with a new one after a 401, which had no effect. */
async function callSignedIn<Shape extends z.ZodType>(
  context: Context,
  account: Account,
  server: GatewayServer,
  call: GatewayCall,
  shape: Shape,
): Promise<z.output<Shape>> {
  const session = sessionOf(account);
  const once = async () => {
    const authorization = `Bearer ${await signIn(context, account, server, session)}`;
    return callServer({ ...server, headers: { ...server.headers, authorization } }, call, shape);
  };
  return once().catch((error: unknown) => {
    if (!(error instanceof CallFailed) || error.status !== 401) throw error;
    session.token = undefined;
    return once();
  });
}

/** Refuses `gateway_unavailable`, as the actual call was not made yet. */
function signIn(context: Context, account: Account, server: GatewayServer, session: Session): Promise<string> {
  const { email, password } = keysOf(account);
  const now = context.now().getTime();
  if (session.token && now < session.token.until) return session.token.text;
  const call = { method: 'POST', path: '/auth', body: { email, password } } as const;
  const token = {
    text: queryServer(server, call, tokenShape).then((reply) => reply.token),
    until: now + TOKEN_LIVES_MS,
  };
  token.text.catch(() => {
    if (session.token === token) session.token = undefined;
  });
  session.token = token;
  return token.text;
}
