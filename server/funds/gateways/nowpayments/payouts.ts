import assert from 'node:assert/strict';
import { z } from 'zod';
import { totpOf } from '#server/accounts/index.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import {
  askServer,
  CallFailed,
  callServer,
  type GatewayCall,
  type GatewayServer,
  orUnavailable,
} from '../ask-server.ts';
import { type Gateway, type OperatorPayouts, OutcomeUnknown, type Payout, type PayoutOrder } from '../gateway.ts';
import { type Ask, listBatches } from './list-batches.ts';
import { listEntries } from './list-entries.ts';
import { dollarNetworks, isDollar, isDollarNetwork } from './networks.ts';
import { createdShape, feeShape, payoutShape, tokenShape, toMicros, type Withdrawal } from './shapes.ts';

/** Documented as five minutes. */
const TOKEN_LIVES_MS = 4 * 60_000;
/** The hour and the ten attempts in which a payout can be confirmed are not used up before the hour is over. */
const CONFIRMED_EVERY_MS = 6 * 60_000;
/** What sending a token costs does not depend on how much of it is sent. */
const ESTIMATED_DOLLARS = '100';

type Account = NonNullable<Config['nowpayments']>;

/**
 * Payouts in USDT, each a batch of one, at par. As documented, a batch is held until it is confirmed with a code of the
 * account's authenticator, and rejected by itself after an hour without; a code can be given ten times. Each withdrawal keeps
 * a `unique_external_id`, of which it is neither said that it has to be unique nor that payouts can be found by it: so the
 * list is searched for it.
 */
export function nowpaymentsPayouts(
  context: Context,
  account: Account,
  server: GatewayServer,
): OperatorPayouts & Pick<Gateway, 'confirmPayout' | 'estimateNetworkFee' | 'listEntries'> {
  const ask: Ask = (call, shape) => askSignedIn(context, account, server, call, shape);
  const find = (payoutId: string): Promise<Withdrawal | undefined> =>
    orUnavailable(server, ask({ method: 'GET', path: pathOf(payoutId) }, payoutShape).catch(undefinedWhenMissing));
  const getPayout = async (payoutId: string): Promise<Payout | undefined> => {
    const found = await find(payoutId);
    if (found === undefined) return undefined;
    const { hash, fee, currency } = found;
    const networkFeeMicros = fee && isDollar(currency) ? toMicros(fee) : null;
    return { id: payoutId, state: stateOf(payoutId, found), transaction: hash || null, units: null, networkFeeMicros };
  };
  return {
    canPay: (network) => account.payoutEmail !== undefined && isDollarNetwork(network),
    createPayout: (order) => orUnavailable(server, createPayout(ask, order)),
    confirmPayout: async (payoutId, order) => {
      const held = await find(payoutId);
      if (held === undefined || stateOf(payoutId, held) !== 'unconfirmed') return;
      assert(isAsOrdered(held, order), `payout ${payoutId} is not the one that was ordered for ${order.reference}`);
      if (!isTimeToConfirm(account, payoutId, context.now().getTime())) return;
      const body = { verification_code: totpOf(keysOf(account).totpSecret, context.now()) };
      await orUnavailable(server, ask({ method: 'POST', path: `${pathOf(payoutId)}/verify`, body }, z.unknown()));
    },
    findPayout: async (reference, since) => {
      const ids = await orUnavailable(server, findIds(ask, reference, since));
      const found = (await Promise.all(ids.map(getPayout))).filter((payout) => payout !== undefined);
      return found.find(({ state }) => state !== 'cancelled') ?? found[0];
    },
    getPayout,
    // Its list of payments takes the same sign-in as payouts.
    ...(account.payoutEmail !== undefined && {
      listEntries: (from: Date, to: Date) => orUnavailable(server, listEntries(ask, from, to)),
    }),
    estimateNetworkFee: async (network) => {
      if (account.payoutEmail === undefined || !isDollarNetwork(network)) return undefined;
      const query = { currency: dollarNetworks[network].currency, amount: ESTIMATED_DOLLARS };
      const called = callServer(server, { method: 'GET', path: '/payout/fee', query }, feeShape).then((said) => {
        if (isDollar(said.currency ?? query.currency)) return toMicros(said.fee);
        throw new CallFailed(`GET /payout/fee answered in ${said.currency}`, 200, true);
      });
      return orUnavailable(server, called);
    },
  };
}

const pathOf = (payoutId: string) => `/payout/${encodeURIComponent(payoutId)}`;

/** Not idempotent. What was made is looked at before it is confirmed, so all that counts here is its name. */
async function createPayout(ask: Ask, { reference, network, address, amountMicros }: PayoutOrder): Promise<Payout> {
  assert(isDollarNetwork(network), 'USDT on one of its networks');
  const { currency } = dollarNetworks[network];
  const withdrawal = { address, currency, amount: Number(amountMicros) / 1_000_000, unique_external_id: reference };
  try {
    const { id } = await ask({ method: 'POST', path: '/payout', body: { withdrawals: [withdrawal] } }, createdShape);
    return { id, state: 'unconfirmed', transaction: null, units: null, networkFeeMicros: null };
  } catch (error) {
    if (error instanceof CallFailed && !error.isUndone)
      throw new OutcomeUnknown(`payout of ${reference}`, { cause: error });
    throw error;
  }
}

/** Whatever waits and was not asked of the network may still be unconfirmed: confirming it again changes nothing. */
function stateOf(payoutId: string, { status, hash, requested_at: requestedAt }: Withdrawal): Payout['state'] {
  if (status === 'finished') return 'completed';
  if (status === 'creating' || status === 'waiting') return requestedAt || hash ? 'waiting' : 'unconfirmed';
  if (status !== 'rejected' && status !== 'failed') return 'waiting';
  if (hash) throw new Error(`payout ${payoutId} is ${status} and has a transaction: a person has to look`);
  return 'cancelled';
}

function isAsOrdered({ address, currency, amount }: Withdrawal, order: PayoutOrder): boolean {
  const isThere = order.network === 'TRC20' ? address === order.address : sameText(address, order.address);
  const coin = isDollarNetwork(order.network) ? dollarNetworks[order.network].currency : '';
  return isThere && sameText(currency, coin) && amount.times(1_000_000).eq(order.amountMicros.toString());
}

const sameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The batches that carry a reference. */
async function findIds(ask: Ask, reference: string, since = new Date(0)): Promise<string[]> {
  const batches = await listBatches(ask, since);
  return batches.filter((batch) => batch.unique_external_id === reference).map((batch) => batch.batch_withdrawal_id);
}

type Session = {
  token: { readonly text: Promise<string>; readonly until: number } | undefined;
  /** When each payout was last tried to be confirmed. */
  readonly tried: Map<string, number>;
};

/** Of this process: an account's token is nowhere else. */
const sessions = new WeakMap<Account, Session>();

function sessionOf(account: Account): Session {
  const session = sessions.get(account) ?? { token: undefined, tried: new Map() };
  sessions.set(account, session);
  return session;
}

function isTimeToConfirm(account: Account, payoutId: string, now: number): boolean {
  const { tried } = sessionOf(account);
  for (const [id, at] of tried) if (now - at >= CONFIRMED_EVERY_MS) tried.delete(id);
  if (tried.has(payoutId)) return false;
  tried.set(payoutId, now);
  return true;
}

/** A process without the keys has no way to move money; nothing in it asks for one. */
function keysOf({ payoutEmail: email, payoutKeys }: Account) {
  assert(email !== undefined && payoutKeys !== undefined, 'payouts are made by the worker, which has the keys');
  return { email, ...payoutKeys };
}

/** A call with a token, and a second time with a new one when that one is over: refused, it did nothing. */
async function askSignedIn<Shape extends z.ZodType>(
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

/** Refuses `gateway_unavailable`: nothing else was asked yet. */
function signIn(context: Context, account: Account, server: GatewayServer, session: Session): Promise<string> {
  const { email, password } = keysOf(account);
  const now = context.now().getTime();
  if (session.token && now < session.token.until) return session.token.text;
  const call = { method: 'POST', path: '/auth', body: { email, password } } as const;
  const token = { text: askServer(server, call, tokenShape).then((said) => said.token), until: now + TOKEN_LIVES_MS };
  token.text.catch(() => {
    if (session.token === token) session.token = undefined;
  });
  session.token = token;
  return token.text;
}

const undefinedWhenMissing = (error: unknown): undefined => {
  if (error instanceof CallFailed && error.status === 404) return undefined;
  throw error;
};
