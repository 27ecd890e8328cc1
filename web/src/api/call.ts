import type { BodyInOf, DataOf, Endpoint, ParamsInOf, QueryInOf } from '#contract/endpoint.ts';
import { apiBase, type identity, type operatorAccounts } from '#contract/endpoints.ts';
import { formatMoney } from '../ui/format/number.ts';
import { toast } from '../ui/frame/toast.ts';
import { getOperatorToken, requireSecondFactor, signOutOperator } from './operator-state.ts';
import { forgetKey, pendingKey } from './pending-keys.ts';
import { endSession, getAccessToken, reportUnconfirmed } from './sign-in-state.ts';
import { readStored, writeStored } from './storage.ts';
import { plural, t, translate } from './texts.ts';

type Part<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : // A part whose own fields are all optional (a list's query) may be left out.
    Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

export type CallInput<E extends Endpoint> = Part<'params', ParamsInOf<E>> &
  Part<'query', QueryInOf<E>> &
  Part<'body', BodyInOf<E>> & {
    signal?: AbortSignal;
    /** A token other than the stored one, still to be verified. */
    token?: string;
  };

type Arguments<E extends Endpoint> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

type Reply<T> = { data: T; message: string | undefined };

/** Its message was already shown to the member as a toast. */
export class ToldError extends Error {
  /** Field errors from the server, by field name. */
  readonly fields: Readonly<Record<string, string>> = {};
}

/** A failed call. */
export class CallError extends ToldError {
  /** 0 when there was no response. */
  readonly status: number;
  readonly code: string | undefined;
  override readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;

  constructor(status: number, message: string, detail: Partial<Pick<CallError, 'code' | 'fields' | 'requestId'>> = {}) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.code = detail.code;
    this.fields = detail.fields ?? {};
    this.requestId = detail.requestId;
  }
}

/** Makes one call of the contract and returns its `data`; throws a CallError after the member was told. */
export async function call<E extends Endpoint>(row: E, ...input: Arguments<E>): Promise<DataOf<E>> {
  return (await callForReply(row, ...input)).data;
}

/** As `call`, but with the server's message: for replies whose message is shown to the member. */
export async function callForReply<E extends Endpoint>(row: E, ...[input]: Arguments<E>): Promise<Reply<DataOf<E>>> {
  const loose = (input ?? {}) as LooseInput;
  const { response, reply, isOfEndedSignIn } = await sendUntilOutcomeKnown(row, loose);
  if (response.ok && isSuccess(reply)) {
    keepDeviceToken(row, reply.data);
    return { data: reply.data as DataOf<E>, message: translateText(reply.message) };
  }
  if (isOfEndedSignIn()) throw new CallError(response.status, '');
  throw reportRefusal(row, response, reply);
}

/** Tokens being signed out: no other call may use them, since the server is about to refuse them. */
const endingTokens = new Set<string>();

/** Ends a sign-in on the server and here; here even if the server does not respond. */
export async function signOutByCall(row: typeof identity.logout | typeof operatorAccounts.signOutOperator) {
  const token = tokenFor(row) ?? '';
  endingTokens.add(token);
  try {
    await call(row, { token });
  } finally {
    (isForOperators(row) ? signOutOperator : endSession)();
    endingTokens.delete(token);
  }
}

/** Attempts before the member is asked to press the button again. */
const MAX_ATTEMPTS = 4;

/**
 * Sends a call, and retries it with the same key while its outcome is unknown: the server returns what it did, or does
 * it now, and never twice.
 */
async function sendUntilOutcomeKnown(row: Endpoint, input: LooseInput) {
  let isUnknown = false;
  for (let attempts = 1; ; attempts += 1) {
    const { response, keyed, isOfEndedSignIn } = await send(row, input, 'application/json');
    const reply = await replyOf(response, input.signal);
    const isOpen = isOutcomeOpen(response.status, reply);
    if (keyed && !isOpen) forgetKey(keyed);
    isUnknown = reply?.code === UNKNOWN || (isUnknown && isOpen);
    if (!isUnknown || !keyed || attempts === MAX_ATTEMPTS)
      return { response, isOfEndedSignIn, reply: isUnknown ? { ...reply, code: UNKNOWN } : reply };
    await wait(1000 * (Number(response.headers.get('retry-after')) || 1));
  }
}

const UNKNOWN = 'outcome_unknown';
const unknownMessages = {
  withKey: t`We could not confirm whether this went through. Press the button again without changes. It will not be done twice.`,
  withoutKey: t`We could not confirm whether this went through. Reload the page and check before you try again.`,
};

/**
 * Whether a response leaves the outcome of its key unknown: it was sent before the key was looked up or while it is in
 * use, was cut off, or came from an intermediary.
 */
const isOutcomeOpen = (status: number, reply: LooseReply | undefined): boolean =>
  !reply || status >= 500 || status === 401 || status === 429 || reply.code === 'idempotency_running';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A call that responds with a file (`format=csv`), as its bytes. Like every call it carries the token in the header: in
 * an address it would end up in histories and logs.
 */
export async function callForFile<E extends Endpoint>(row: E, ...[input]: Arguments<E>): Promise<Blob> {
  const loose = (input ?? {}) as LooseInput;
  const { response, isOfEndedSignIn } = await send(row, loose, 'text/csv');
  if (response.ok)
    return response.blob().catch((error: unknown) => {
      // The server cuts off a file that it cannot complete.
      throw loose.signal?.aborted ? error : noResponse();
    });
  if (isOfEndedSignIn()) throw new CallError(response.status, '');
  throw reportRefusal(row, response, await replyOf(response, loose.signal));
}

async function send(row: Endpoint, input: LooseInput, accept: string) {
  const { params, query, body, signal, token = tokenFor(row) } = input;
  if (input.token === undefined && row.access !== 'public' && endingTokens.has(token ?? ''))
    await new Promise(() => {});
  const path = fillPath(row.path, params);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const keyed = row.idempotent ? pendingKey(row.method, path, text) : undefined;

  const headers = new Headers({ accept });
  if (row.access !== 'public' && token !== undefined) headers.set('authorization', `Bearer ${token}`);
  addDeviceTokens(row, headers);
  if (text !== undefined) headers.set('content-type', 'application/json');
  if (keyed) headers.set('idempotency-key', keyed.key);

  let response: Response;
  try {
    // No timeout, as the specification requires; `signal` aborts a call whose page is gone.
    response = await fetch(`${apiBase}${path}${queryString(query)}`, {
      method: row.method,
      headers,
      ...(text === undefined ? {} : { body: text }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    const failed = noResponse();
    // A list shows this itself; a button has no other place for it.
    if (row.method !== 'GET') toast.error(failed.message);
    throw failed;
  }
  // A late 401 of an ended sign-in must not end the one after it, and is not reported.
  const isOfEndedSignIn = () => response.status === 401 && input.token === undefined && tokenFor(row) !== token;
  return { response, keyed, isOfEndedSignIn };
}

const noResponse = () => new CallError(0, t`No connection. Please try again.`);

/** Operators' calls: in the built app their row says `operators`, otherwise which roles. */
const isForOperators = ({ access }: Endpoint): boolean => access !== 'public' && access !== 'member';

const tokenFor = (row: Endpoint): string | undefined => (isForOperators(row) ? getOperatorToken() : getAccessToken());

const replyOf = (response: Response, signal: AbortSignal | undefined): Promise<LooseReply | undefined> =>
  response.json().catch((error: unknown) => {
    // Leaving a page while its response is still arriving is not an error.
    if (signal?.aborted) throw error;
  });

type LooseInput = {
  params?: Record<string, string>;
  query?: QueryValues;
  body?: unknown;
  signal?: AbortSignal;
  token?: string;
};

type LooseReply = {
  status?: unknown;
  success?: unknown;
  code?: unknown;
  message?: unknown;
  msg?: unknown;
  error?: unknown;
  validation_results?: unknown;
  data?: unknown;
};

/** 'success', a success flag or any status passes (the specification, point 8). */
const isSuccess = (reply: LooseReply | undefined): reply is LooseReply => Boolean(reply?.status || reply?.success);

/** Shows the server's message, ends the session on a 401, and returns the error to throw. */
function reportRefusal(row: Endpoint, response: Response, reply: LooseReply | undefined): CallError {
  const own = ownText(row, response, reply);
  const lines = own === undefined ? errorLines(response.status, reply) : [own];
  const overLimit = overLimitText(reply);
  const fields = overLimit === undefined ? fieldMessages(reply) : { amount: overLimit };
  for (const line of lines) Object.keys(fields).length > 0 ? toast.refusal(line) : toast.error(line);
  if (response.status === 401) (isForOperators(row) ? signOutOperator : endSession)();
  if (reply?.code === 'confirm_identity') reportUnconfirmed();
  if (isForOperators(row) && reply?.code === 'second_factor_missing') requireSecondFactor();
  return new CallError(response.status, lines[0] ?? '', {
    code: typeof reply?.code === 'string' ? reply.code : undefined,
    fields,
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}

/** The amount that a refused trade may still have; undefined for other refusals. */
function overLimitText(reply: LooseReply | undefined): string | undefined {
  const { still_possible: dollars } = (reply?.data ?? {}) as { readonly still_possible?: unknown };
  if (reply?.code !== 'over_asset_limit' || typeof dollars !== 'number') return undefined;
  return dollars === 0
    ? t`The limit of this asset is reached. Choose another asset, or try again later.`
    : t`This amount is over the limit of this asset. Enter at most ${formatMoney(dollars, 'typed')}.`;
}

/** What this app says in place of the server's message, if anything. */
function ownText(row: Endpoint, response: Response, reply: LooseReply | undefined): string | undefined {
  if (reply?.code === UNKNOWN) return row.idempotent ? unknownMessages.withKey : unknownMessages.withoutKey;
  return overLimitText(reply) ?? waitText(response, reply);
}

/** After too many attempts the wait may be a quarter of an hour or a day; undefined for a minute or less. */
function waitText({ headers }: Response, reply: LooseReply | undefined): string | undefined {
  const minutes = reply?.code === 'too_many_requests' ? Math.ceil(Number(headers.get('retry-after')) / 60) : 0;
  if (!(minutes > 1)) return undefined;
  return minutes <= 90
    ? plural(minutes, {
        one: 'Too many attempts. Try again in # minute.',
        other: 'Too many attempts. Try again in # minutes.',
      })
    : plural(Math.ceil(minutes / 60), {
        one: 'Too many attempts. Try again in # hour.',
        other: 'Too many attempts. Try again in # hours.',
      });
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A server message in the member's language. */
const translateText = (value: unknown): string | undefined => {
  const english = text(value);
  return english && translate(english);
};

const entries = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];

/** The messages of the error catalogue (the specification, point 8), in its order. */
function errorLines(status: number, reply: LooseReply | undefined): string[] {
  const unauthorized = status === 401 ? (translateText(reply?.message) ?? translateText(reply?.msg)) : undefined;
  const first =
    unauthorized ??
    translateText(entries(reply?.validation_results)[0]?.message) ??
    translateText(reply?.message) ??
    translateText(reply?.error);
  if (first !== undefined) return [first];
  const list = entries(reply?.error).map((item) => `${item.field}: ${item.reason}`);
  return list.length > 0 ? list : [t`Something went wrong. Please try again.`];
}

function fieldMessages(reply: LooseReply | undefined): Record<string, string> {
  const fields: Record<string, string> = {};
  const items = [
    ...entries(reply?.error).map(({ field, reason }) => ({ field, message: reason })),
    ...entries(reply?.validation_results),
  ];
  for (const item of items) {
    const [field, message] = [text(item.field), translateText(item.message)];
    if (field && message) fields[field] ??= message;
  }
  return fields;
}

function fillPath(path: string, params: Record<string, string> | undefined): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params?.[name];
    if (value === undefined) throw new Error(`the path ${path} needs ${name}`);
    return encodeURIComponent(value);
  });
}

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * A query string with its question mark, or empty; null and undefined values are dropped (the specification, point 7).
 * `queryString({ state: 'open', cursor: null }) === '?state=open'`
 */
export function queryString(values: QueryValues | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value !== null && value !== undefined) search.append(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Tokens that identify this browser to the accounts that signed in from it, by Registered Id or operator id
 * (docs/product.md, section 8). They survive a sign-out on purpose. The server invalidates one by issuing another for
 * the same account, which replaces it.
 */
const DEVICE_TOKEN_HEADER = 'x-device-token';
/** As many as the server reads. The account that signed in last is last. */
const MAX_TOKENS = 4;

const memberSignIns = [
  '/auth/login',
  '/auth/otp-verify',
  '/auth/passkey/finish',
  '/auth/forgot-password',
  '/auth/reset-password',
];
const operatorSignIns = ['/operator/login', '/operator/otp-verify', '/operator/totp/confirm'];

const deviceKeyOf = ({ path }: Endpoint) =>
  memberSignIns.includes(path) ? 'deviceTokens' : operatorSignIns.includes(path) ? 'operatorDeviceTokens' : undefined;

/** Sends the tokens with calls that verify a password or code of a sign-in, and with no others. */
function addDeviceTokens(row: Endpoint, headers: Headers): void {
  const key = deviceKeyOf(row);
  const tokens = Object.values((key && readStored(key)) ?? {});
  if (tokens.length > 0) headers.set(DEVICE_TOKEN_HEADER, tokens.join(','));
}

/** Stores the token of a reply, replacing the account's previous one. */
function keepDeviceToken(row: Endpoint, data: unknown): void {
  const key = deviceKeyOf(row);
  const issued = (data ?? {}) as TokenReply;
  const account =
    issued.user?.referral_code ?? issued.referral_code ?? issued.operator?.id ?? (key && readStored('operator')?.id);
  if (key === undefined || issued.device_token === undefined || account === undefined) return;
  const { [account]: _before, ...others } = readStored(key) ?? {};
  const kept = Object.entries(others).slice(1 - MAX_TOKENS);
  writeStored(key, Object.fromEntries([...kept, [account, issued.device_token]]));
}

type TokenReply = {
  readonly device_token?: string;
  readonly user?: { readonly referral_code?: string };
  readonly referral_code?: string;
  readonly operator?: { readonly id?: string };
};
