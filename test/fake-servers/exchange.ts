import { createHmac } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  cancelOrder,
  type ExchangeAccount,
  listTrades,
  openAccount,
  placeOrder,
  refuse,
  showAccount,
  showBook,
  showOrder,
} from './exchange-orders.ts';
import { createExchangePrices, type ExchangePrices } from './exchange-prices.ts';
import {
  type Answer,
  answerOrInterfere,
  type Interference,
  readBody,
  sendAnswer,
  startNodeServer,
} from './serve-json.ts';

export const EXCHANGE_KEYS = { apiKey: 'key-of-the-local-exchange', secret: 'secret-of-the-local-exchange' };

/** Each takes the first call that it names and is gone. */
export type PlannedInterference = { readonly call: string; readonly with: Interference };

export type FakeExchange = ExchangePrices & {
  readonly url: string;
  readonly account: ExchangeAccount;
  readonly interferences: PlannedInterference[];
  /** What it says of orders and fills instead of the truth, while there is any. */
  readonly lies: { readonly order: object; readonly fill: object }[];
  /** Method and path of every signed call, oldest first. */
  readonly signedCalls: string[];
  /** Tells of `hang`: a call that will get no answer. */
  readonly silences: EventEmitter;
  /** Every connection is refused until `comeBack`. */
  readonly goAway: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
  /** The delayed calls arrive now. */
  readonly deliverLate: () => Answer[];
  readonly close: () => Promise<void>;
};

type SignedCall = { readonly name: string; readonly asked: URLSearchParams; readonly run: () => Answer };

/**
 * One exchange account on 127.0.0.1 that speaks Binance's spot REST API as far as execution calls it: prices, order
 * books, account, limit orders that fill at once, their fills, by real HTTP and with real signatures. It keeps the books a real one keeps, so that tests
 * compare them with ours.
 */
export async function startExchange(
  balances: Readonly<Record<string, string>> = { USDT: '1000000', BNB: '10' },
): Promise<FakeExchange> {
  const prices = createExchangePrices();
  const account = openAccount(balances);
  const interferences: PlannedInterference[] = [];
  const lies: FakeExchange['lies'] = [];
  const signedCalls: string[] = [];
  const silences = new EventEmitter();
  const late: SignedCall[] = [];
  const { market } = prices;

  const routes: Record<string, (asked: URLSearchParams) => Answer> = {
    'POST /api/v3/order': (asked) => placeOrder(account, market, asked),
    'GET /api/v3/order': (asked) => lie(showOrder(account, asked), lies[0]?.order),
    'DELETE /api/v3/order': (asked) => cancelOrder(account, asked),
    'GET /api/v3/myTrades': (asked) => lie(listTrades(account, asked), lies[0]?.fill),
    'GET /api/v3/account': () => showAccount(account, market.now()),
  };

  const runSigned = (call: SignedCall): Answer => refuseTime(call.asked, market.now()) ?? call.run();

  const answerSigned = (call: SignedCall, response: ServerResponse) => {
    signedCalls.push(call.name);
    const onSilence = (interference: 'do_and_hang' | 'delay') => {
      if (interference === 'delay') late.push(call);
      silences.emit('hang');
    };
    answerOrInterfere(interferences, call.name, response, () => runSigned(call), onSilence);
  };

  const { origin, ...server } = await startNodeServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://exchange');
    if (market.fault === 'hang') return;
    const open = prices.answerPrices(request, url);
    if (open !== undefined) return sendAnswer(response, open);
    const name = `${request.method} ${url.pathname}`;
    if (name === 'GET /api/v3/depth') return sendAnswer(response, showBook(account, market, url.searchParams));
    const route = routes[name];
    const text = request.method === 'POST' ? await readBody(request) : url.search.slice(1);
    if (route === undefined) return sendAnswer(response, { status: 404, body: { code: -1, msg: 'no such call' } });
    const refusal = refuseSignature(request, text);
    if (refusal !== undefined) return sendAnswer(response, refusal);
    const asked = new URLSearchParams(text);
    answerSigned({ name, asked, run: () => route(asked) }, response);
  });

  return {
    ...prices,
    ...server,
    url: origin,
    account,
    interferences,
    lies,
    signedCalls,
    silences,
    deliverLate: () => late.splice(0).map(runSigned),
  };
}

const lie = (answer: Answer, lies: object | undefined): Answer => {
  if (lies === undefined || answer.status !== 200) return answer;
  const { body } = answer;
  return {
    ...answer,
    body: Array.isArray(body) ? body.map((one) => ({ ...one, ...lies })) : { ...(body as object), ...lies },
  };
};

/** The signature is over the text as it came, without itself. */
function refuseSignature(request: IncomingMessage, text: string): Answer | undefined {
  const key = request.headers['x-mbx-apikey'];
  if (key === undefined) return refuse(-2014, 'API-key format invalid.', 401);
  if (key !== EXCHANGE_KEYS.apiKey) return refuse(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
  const [, signed = '', signature] = /^(.*)&signature=([0-9a-f]+)$/.exec(text) ?? [];
  const wanted = createHmac('sha256', EXCHANGE_KEYS.secret).update(signed).digest('hex');
  return signature === wanted ? undefined : refuse(-1022, 'Signature for this request is not valid.');
}

/** A call that comes too late after its own time, or from the future, is not done. */
function refuseTime(asked: URLSearchParams, now: number): Answer | undefined {
  const timestamp = Number(asked.get('timestamp'));
  const window = Number(asked.get('recvWindow') ?? 5000);
  if (timestamp >= now + 1000)
    return refuse(-1021, "Timestamp for this request was 1000ms ahead of the server's time.");
  if (now - timestamp > window) return refuse(-1021, 'Timestamp for this request is outside of the recvWindow.');
  return undefined;
}
