import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeAccount } from './exchange-orders.ts';
import type { ExchangePrices } from './exchange-prices.ts';
import {
  type Answer,
  answerOrInterfere,
  type Interference,
  readBody,
  sendAnswer,
  startNodeServer,
} from './serve-json.ts';

export type ExchangeKeys = { readonly apiKey: string; readonly secret: string; readonly password?: string };

/** A signed call as received. */
export type SignedRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
};

/** What differs between exchanges; the rest is shared. */
export type ExchangeProtocol = {
  /** The ccxt id. */
  readonly id: string;
  readonly keys: ExchangeKeys;
  readonly account: ExchangeAccount;
  readonly prices: ExchangePrices;
  /** The exchange's name of one of our pairs. */
  readonly nameOf: (symbol: string) => string;
  /** The exchange's ids of an order and of a fill. */
  readonly orderIdOf: (id: number) => string;
  readonly tradeIdOf: (id: number) => string;
  /** Public calls that read the account: the order book. */
  readonly openRoutes: Readonly<Record<string, (url: URL) => Answer>>;
  readonly signedRoutes: Readonly<Record<string, (request: SignedRequest) => Answer>>;
  /** The first error of a call: its key, its signature or its nonce. */
  readonly refuseKey: (request: SignedRequest) => Answer | undefined;
  /** The error of its timestamp at the time of execution. */
  readonly refuseTime: (request: SignedRequest, now: number) => Answer | undefined;
  /** Paths of calls by purpose, and replies that no order produces. */
  readonly calls: Readonly<Record<'send' | 'find' | 'fills' | 'balances' | 'statement' | 'movements', string>>;
  readonly answers: Readonly<Record<'tooMany' | 'maintenance' | 'busy' | 'restricted' | 'badKey', Answer>>;
};

/** Applies to the first call it names, and is then removed. */
export type PlannedInterference = { readonly call: string; readonly with: Interference };

export type FakeExchange = ExchangePrices &
  Pick<ExchangeProtocol, 'id' | 'keys' | 'account' | 'nameOf' | 'orderIdOf' | 'tradeIdOf' | 'calls' | 'answers'> & {
    readonly url: string;
    readonly interferences: PlannedInterference[];
    /** The first replaces fields of the orders, fills and movements in replies, in the exchange's own format. */
    readonly lies: { readonly order?: object; readonly fill?: object; readonly movement?: object }[];
    /** Method and path of all signed calls, oldest first. */
    readonly signedCalls: string[];
    /** Emits `hang` for a call that will get no reply. */
    readonly silences: EventEmitter;
    /** Connections are refused until `comeBack`. */
    readonly goAway: () => Promise<void>;
    readonly comeBack: () => Promise<void>;
    /** Executes the delayed calls. */
    readonly deliverLate: () => Answer[];
    readonly close: () => Promise<void>;
  };

/** One exchange account on 127.0.0.1. It does its own accounting, which tests compare with our ledger. */
export async function serveExchange(speech: ExchangeProtocol): Promise<FakeExchange> {
  const { id, keys, account, prices, nameOf, orderIdOf, tradeIdOf, calls, answers } = speech;
  const interferences: PlannedInterference[] = [];
  const lies: FakeExchange['lies'] = [];
  const signedCalls: string[] = [];
  const silences = new EventEmitter().setMaxListeners(0);
  const late: (() => Answer)[] = [];

  const lieAbout = (name: string) => {
    if (name === calls.find || name === KRAKEN_ENDED) return lies[0]?.order;
    if (name === calls.fills || name === calls.statement) return lies[0]?.fill;
    return name === calls.movements ? lies[0]?.movement : undefined;
  };

  const answerSigned = (name: string, run: () => Answer, response: ServerResponse) => {
    signedCalls.push(name);
    answerOrInterfere(interferences, name, response, run, (interference) => {
      if (interference === 'delay') late.push(run);
      silences.emit('hang');
    });
  };

  const { origin, ...server } = await startNodeServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://exchange');
    if (prices.market.fault === 'hang') return;
    const open = prices.answerPrices(request, url);
    if (open !== undefined) return sendAnswer(response, open);
    const name = `${request.method} ${url.pathname}`;
    const openRoute = speech.openRoutes[name];
    if (openRoute !== undefined) return sendAnswer(response, openRoute(url));
    const route = speech.signedRoutes[name];
    const body = await readBody(request);
    if (route === undefined) return sendAnswer(response, { status: 404, body: { code: -1, msg: 'no such call' } });
    const { method = '', headers } = request;
    const signed: SignedRequest = { method, path: url.pathname, query: url.search.slice(1), body, headers };
    const refusal = speech.refuseKey(signed);
    if (refusal !== undefined) return sendAnswer(response, refusal);
    const tell = () => lie(route(signed), lieAbout(name));
    answerSigned(name, () => speech.refuseTime(signed, prices.market.now()) ?? tell(), response);
  });

  return {
    ...{
      ...prices,
      ...server,
      id,
      keys,
      account,
      nameOf,
      orderIdOf,
      tradeIdOf,
      calls,
      answers,
      interferences,
      lies,
      signedCalls,
      silences,
    },
    url: origin,
    deliverLate: () => late.splice(0).map((run) => run()),
  };
}

/** Kraken lists orders that ended by another call than open ones. */
const KRAKEN_ENDED = 'POST /0/private/ClosedOrders';

/** The fields that hold Kraken's lists of rows by id. */
const LISTS = ['open', 'closed', 'trades', 'ledger'];

/** Rows come singly, in a list, or below `data` (OKX) or `result` (Kraken). */
function lie(answer: Answer, lies: object | undefined): Answer {
  if (!lies || answer.status !== 200) return answer;
  const tell = (rows: unknown): unknown => {
    if (Array.isArray(rows)) return rows.map((row) => ({ ...row, ...lies }));
    const { data, result } = rows as { data?: unknown; result?: object };
    if (data !== undefined) return { ...(rows as object), data: tell(data) };
    if (result === undefined) return { ...(rows as object), ...lies };
    return { ...(rows as object), result: tellAll(result) };
  };
  const tellAll = (rows: object): object =>
    Object.fromEntries(
      Object.entries(rows).map(([id, row]) => [id, LISTS.includes(id) ? tellAll(row) : { ...row, ...lies }]),
    );
  return { ...answer, body: tell(answer.body) };
}
