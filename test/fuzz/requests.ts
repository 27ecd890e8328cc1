import fc from 'fast-check';
import type { Call } from './calls.ts';
import {
  type Fields,
  hostileTexts,
  isFields,
  JsonText,
  Known,
  objectsOf,
  oddDocument,
  oddInAddress,
  oddJson,
  type Value,
  valuesOf,
  writeJson,
} from './values.ts';

/** Senders of requests; `stranger` has no token, `intruder` an unknown one. */
export const callers = [
  ...([
    'stranger',
    'intruder',
    'trader',
    'newcomer',
    'secured',
    'support',
    'finance',
    'finance2',
    'admin',
    'admin2',
  ] as const),
  'unready',
] as const;
export type CallerName = (typeof callers)[number];

/** The flaw of an otherwise valid request. */
type Flaw =
  | {
      readonly of: 'field';
      readonly how: 'replace' | 'remove' | 'add' | 'double';
      readonly at: number;
      readonly json: string;
    }
  | { readonly of: 'query' | 'param'; readonly at: number; readonly text: string }
  | { readonly of: 'document'; readonly text: string }
  | { readonly of: 'bytes' }
  | { readonly of: 'type'; readonly type: string | null };

/** A request planned before anything about the world is known, so that the same seed gives the same plan. */
export type Plan = {
  readonly call: Call;
  readonly caller: CallerName;
  /** Selects the object that the request is about. */
  readonly about: number;
  readonly params: Fields;
  readonly query: Fields;
  readonly body: Value | undefined;
  readonly flaw: Flaw | null;
  readonly headers: Readonly<Record<string, string>>;
};

const named = { public: ['stranger', 'trader'], member: ['trader', 'trader', 'newcomer', 'secured'] };
const holders: Readonly<Record<string, readonly CallerName[]>> = {
  ...(named as Record<string, CallerName[]>),
  support: ['support'],
  finance: ['finance', 'finance2'],
  admin: ['admin', 'admin2'],
};

/** Requests to all calls; those by which members move money come most often. */
export const planRequests = (calls: readonly Call[]): fc.Arbitrary<Plan> =>
  fc.oneof(...calls.map((call) => ({ weight: movesMoney(call) ? 5 : 1, arbitrary: planOf(call) })));

const movesMoney = ({ method, path, access }: Call): boolean =>
  method !== 'GET' && access.includes('member') && /\/(trading|safe|secure)\//.test(path);

const planOf = (call: Call): fc.Arbitrary<Plan> =>
  fc.record({
    call: fc.constant(call),
    caller: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...call.access.flatMap((who) => holders[who] ?? [])) },
      { weight: 1, arbitrary: fc.constantFrom(...callers) },
    ),
    about: fc.nat(999),
    params: objectsOf({ properties: call.params, required: Object.keys(call.params) }),
    query: objectsOf(call.query),
    body: call.body === undefined ? fc.constant(undefined) : valuesOf(call.body),
    flaw: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: flaws }),
    headers: fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: oddHeaders }),
  }) as fc.Arbitrary<Plan>;

const flaws: fc.Arbitrary<Flaw> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      of: fc.constant('field' as const),
      how: fc.constantFrom('replace' as const, 'replace' as const, 'replace' as const, 'remove', 'add', 'double'),
      at: fc.nat(99),
      json: oddJson,
    }),
  },
  fc.record({ of: fc.constantFrom('query' as const, 'param' as const), at: fc.nat(9), text: oddInAddress }),
  fc.record({ of: fc.constantFrom('query' as const, 'param' as const), at: fc.nat(9), text: oddInAddress }),
  fc.record({ of: fc.constant('document' as const), text: oddDocument }),
  fc.constant({ of: 'bytes' as const }),
  fc.record({
    of: fc.constant('type' as const),
    type: fc.constantFrom(
      ...[null, '', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'],
      ...['application/json; charset=utf-16', 'application/json;charset=utf-8', 'application/json, text/html'],
    ),
  }),
);

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.nat(20).map((no) => ({ 'idempotency-key': `key-${no}` })),
  fc.nat(20).map((no) => ({ 'idempotency-key': `key-${no}` })),
  fc.constantFrom<Record<string, string>>(
    { 'idempotency-key': '' },
    { 'idempotency-key': 'x'.repeat(101) },
    { 'idempotency-key': 'a b' },
    { 'x-device-token': `${'y'.repeat(43)}, ${'z'.repeat(5000)}` },
    { 'x-device-token': ',,,' },
    { accept: 'text/html' },
    { 'accept-language': '*;q=1e309' },
    { 'user-agent': '\u00ff\u0080<script>' },
    { 'user-agent': 'M'.repeat(5000) },
    { 'x-forwarded-for': "1.2.3.4, ::1, '; --" },
    { traceparent: '00-zz-1-01' },
    { cookie: '__proto__=1; a=%' },
    { range: 'bytes=0-1,5-' },
    { expect: '100-continue' },
    { 'if-none-match': '*' },
    { 'x-large': 'l'.repeat(20_000) },
    { authorization: `Bearer ${'A'.repeat(300)}` },
    { authorization: 'Basic YTpi' },
    {
      authorization:
        'Bearer \u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9',
    },
  ),
  fc
    .constantFrom(...hostileTexts.filter((text) => /^[\x20-\x7e]*$/.test(text)))
    .map((text) => ({ 'idempotency-key': text })),
);

export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
};

/** Fills in a planned request with what is known now. */
export function writeRequest(plan: Plan, resolve: (known: Known) => Value): Sent {
  const { call, flaw } = plan;
  const takesBody = call.method === 'POST' || call.method === 'PUT';
  const body = takesBody ? writeBody(plan, resolve) : undefined;
  const type = flaw?.of === 'type' ? flaw.type : body === undefined ? null : 'application/json';
  return {
    method: call.method,
    path: writePath(plan, resolve) + writeQuery(plan, resolve),
    headers: { ...(type === null ? {} : { 'content-type': type }), ...plan.headers },
    body,
  };
}

const textOf = (value: Value | undefined, resolve: (known: Known) => Value): string => {
  if (value instanceof Known) return textOf(resolve(value), resolve);
  return String(value instanceof JsonText ? value.text : value);
};

function writePath({ call, params, flaw }: Plan, resolve: (known: Known) => Value): string {
  const names = Object.keys(call.params);
  const odd = flaw?.of === 'param' ? names[flaw.at % names.length] : undefined;
  return call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === odd && flaw?.of === 'param' ? flaw.text : encodeURIComponent(textOf(params[name], resolve).toWellFormed()),
  );
}

function writeQuery({ query, flaw }: Plan, resolve: (known: Known) => Value): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(textOf(value, resolve).toWellFormed())}`,
  );
  if (flaw?.of === 'query') {
    const at = flaw.at % (pairs.length + 1);
    const name = pairs[at]?.split('=')[0] ?? 'surplus';
    // A high `at` inserts a duplicate instead of replacing the parameter.
    pairs.splice(at, flaw.at > 7 ? 0 : 1, `${name}=${flaw.text}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function writeBody({ body, flaw }: Plan, resolve: (known: Known) => Value): Buffer | undefined {
  if (flaw?.of === 'document') return Buffer.from(flaw.text);
  if (flaw?.of === 'bytes') return Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0xff, 0x7d]);
  if (body === undefined) return undefined;
  return Buffer.from(writeJson(flaw?.of === 'field' ? spoil(body, flaw) : body, resolve));
}

/** The same body with a flaw at one of its places. */
function spoil(body: Value, flaw: Flaw & { of: 'field' }): Value {
  const places = listPlaces(body);
  const path = places[flaw.at % Math.max(1, places.length)];
  return path === undefined ? new JsonText(flaw.json) : change(body, path, flaw);
}

const listPlaces = (value: Value): string[][] =>
  isFields(value) || Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) => [[name], ...listPlaces(inner).map((path) => [name, ...path])])
    : [];

function change(value: Value, [name = '', ...rest]: readonly string[], flaw: Flaw & { of: 'field' }): Value {
  const odd = new JsonText(flaw.json);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      String(index) !== name ? item : rest.length > 0 ? change(item, rest, flaw) : odd,
    );
  }
  if (!isFields(value)) return odd;
  if (rest.length > 0) return { ...value, [name]: change(value[name] ?? null, rest, flaw) };
  if (flaw.how === 'add') return { ...value, surplus: odd };
  if (flaw.how === 'replace') return { ...value, [name]: odd };
  const others = Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  if (flaw.how === 'remove') return others;
  return { ...value, [name]: new JsonText(`${flaw.json},${JSON.stringify(name)}:${flaw.json}`) };
}
