import fc from 'fast-check';
import type { Schema } from './calls.ts';

/** JSON text that no value serializes to, such as `1e309` or a duplicate key. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A placeholder, resolved by field name when the request is sent, such as an existing id or a valid code. */
export class Known {
  readonly name: string;
  /** Selects one of several. */
  readonly pick: number;
  readonly isNumber: boolean;
  /** Used if nothing is known under this name. */
  readonly otherwise: Value;
  constructor(name: string, pick: number, isNumber: boolean, otherwise: Value) {
    this.name = name;
    this.pick = pick;
    this.isNumber = isNumber;
    this.otherwise = otherwise;
  }
}

export type Value =
  | null
  | boolean
  | number
  | string
  | JsonText
  | Known
  | readonly Value[]
  | { readonly [name: string]: Value };
export type Fields = Readonly<Record<string, Value>>;

export const isFields = (value: Value | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLeaf(value);
const isLeaf = (value: Value) => value instanceof JsonText || value instanceof Known;

type Resolve = (known: Known) => Value;

/** Like `JSON.stringify`, with placeholders resolved. */
export function writeJson(value: Value, resolve: Resolve): string {
  if (value instanceof JsonText) return value.text;
  if (value instanceof Known) return writeJson(resolve(value), resolve);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item, resolve)).join(',')}]`;
  if (!isFields(value)) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${writeJson(field, resolve)}`)}}`;
}

/** Values that match a schema; `name` is that of the field. */
export function valuesOf(schema: Schema, name = ''): fc.Arbitrary<Value> {
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms && secrets.test(name)) return orKnown(name, false, fc.oneof(...forms.map((form) => valuesOf(form))));
  if (forms) return fc.oneof(...forms.map((form) => ({ weight: weigh(form.type), arbitrary: valuesOf(form, name) })));
  if (schema.const !== undefined) return fc.constant(schema.const as Value);
  if (schema.enum) return fc.constantFrom(...(schema.enum as Value[]));
  if (Array.isArray(schema.type)) {
    const types = schema.type as readonly string[];
    return fc.oneof(...types.map((type) => ({ weight: weigh(type), arbitrary: valuesOf({ ...schema, type }, name) })));
  }
  switch (schema.type) {
    case 'object':
      return name === 'terms'
        ? fc.oneof(objectsOf(schema), orKnown(name, false, objectsOf(schema)))
        : objectsOf(schema);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, Math.max(schema.minItems ?? 0, 3)),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return orKnown(name, false, textsOf(schema));
    case 'number':
    case 'integer':
      return orKnown(name, true, numbersOf(schema));
    default:
      return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Value>;
  }
}

export function objectsOf(schema: Schema): fc.Arbitrary<Fields> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, valuesOf(field, name)] as const);
  if (fields.length === 0 && typeof schema.additionalProperties === 'object')
    return fc.dictionary(fc.string({ maxLength: 20 }), valuesOf(schema.additionalProperties), { maxKeys: 3 });
  const all = fields.map(([name]) => name);
  return fc.oneof(
    ...[schema.required ?? [], all].map((requiredKeys) =>
      fc.record(Object.fromEntries(fields), { requiredKeys: [...requiredKeys], noNullPrototype: true }),
    ),
  ) as fc.Arbitrary<Fields>;
}

const weigh = (type: Schema['type']) => (type === 'null' ? 1 : 4);

/** Fields whose alternative forms all resolve to the caller's one valid value. */
const secrets = /^(old_)?otp$|^second_factor$|^passkey$/;

const orKnown = (name: string, isNumber: boolean, otherwise: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  name === ''
    ? otherwise
    : fc.tuple(fc.nat(63), otherwise).map(([pick, value]) => new Known(name, pick, isNumber, value));

function textsOf({ format, pattern, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  if (format === 'date' || format === 'date-time') {
    const days = fc.date({ min: new Date('2025-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
    return days.map((day) => day.toISOString().slice(0, format === 'date' ? 10 : undefined));
  }
  const hasLength = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter(hasLength);
  const most = Math.min(maxLength, 5000);
  const short = { minLength: Math.max(1, minLength), maxLength: Math.min(most, minLength + 20) };
  return fc.oneof(
    { weight: 3, arbitrary: fc.string(short) },
    fc.string({ ...short, unit: 'grapheme' }).filter(hasLength),
    fc.string({ minLength: most, maxLength: most, unit: 'grapheme-ascii' }),
    fc.constantFrom(...hostileTexts).filter(hasLength),
  );
}

function numbersOf({ type, minimum = -1e15, maximum = 1e15, multipleOf }: Schema): fc.Arbitrary<number> {
  const isWhole = type === 'integer' || multipleOf === 1;
  const [low, high] = [Math.ceil(minimum), Math.floor(maximum)];
  const usual = fc.integer({ min: low, max: Math.max(low, Math.min(high, Math.max(low, 0) + 300)) });
  const any = fc.maxSafeInteger().map((whole) => low + (Math.abs(whole) % Math.max(1, high - low + 1)));
  const edges = fc.constantFrom(low, high);
  if (isWhole) return fc.oneof(usual, any, edges);
  const exact = usual.map((whole) => whole + 0.5).filter((value) => value >= minimum && value <= maximum);
  return fc.oneof(usual, usual, exact.filter(Number.isFinite), any, edges, fc.constantFrom(minimum, maximum));
}

/** Texts that have broken other programs. */
export const hostileTexts = [
  "'; drop table ledger.transfer; --",
  '<script>alert(1)</script>',
  '=HYPERLINK("http://127.0.0.1")',
  '%00%0d%0a',
  '../../../../etc/passwd',
  '{{7*7}}',
  '\\',
  '"',
  ' ',
  '%_\\%',
  '\u202eabc\u2066',
  'a\u0301\u0302\u0303',
  '👩‍👩‍👧‍👦',
  '\ufeffx',
  '__proto__',
  'constructor',
  'toString',
  '1e309',
  'NaN',
  '-0',
  '١٢٣',
  'ﷺ',
  'İıß',
];

/** JSON that hardly any field accepts. */
export const oddJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['5', '-5', '-0', '0', '1e309', '-1e309', '0.0000001', '5.0000000000000000001', '9007199254740993', '1e300'],
    ...['1e-400', '123456789012345678901234567890', '00', '+1', '.5', 'NaN', 'undefined', 'true', 'null', '""', '"5"'],
    ...['"\\u0000"', '"a\\u001b[31m\\r\\nb"', '"\\ud800"', '"\\udc00x"', '"\\u2028"', '[1]', '{"a":1}', '[null]'],
    ...['{"__proto__":{"role":"admin"}}', '{"constructor":{"prototype":{"x":1}}}', '{"a":1,"a":2}'],
    `"${'x'.repeat(30_000)}"`,
    `"${'😀'.repeat(300)}"`,
    `${'['.repeat(12)}${']'.repeat(12)}`,
    `${'{"a":'.repeat(12)}1${'}'.repeat(12)}`,
    `[${'0,'.repeat(5000)}0]`,
  ),
  fc.constantFrom(...hostileTexts).map((text) => JSON.stringify(text)),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
);

/** Whole bodies that no call accepts. */
export const oddDocument: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', ' ', 'null', '5', '"x"', '[]', '[{}]', '{', '{"a":', '{"a":1,}', "{'a':1}", '{}{}', '{"a":1,"a":2}'],
    ...['{"__proto__":{}}', '{"\\u005f_proto__":{}}', '\ufeff{}', '{"":1}', 'a=1&b=2', '<a/>', '\0', '{"a":"\t"}'],
    '['.repeat(30_000),
    `{"a":${'[1,'.repeat(40)}`,
    `[${'0,'.repeat(66_000).slice(0, -1)}]`,
    `{"a":"${'x'.repeat(70_000)}"}`,
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** Odd parts of a path or query, already encoded. */
export const oddInAddress: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '0',
      '-1',
      '1e309',
      '1.5',
      '01',
      '%00',
      '%0A',
      '%F0%28%8C',
      '%',
      '%zz',
      '%2e%2e%2f',
      '..',
      '.',
      '%ED%A0%80',
    ],
    ...[
      '999999999999999999',
      '9999999999999999999',
      '9'.repeat(400),
      'a'.repeat(2000),
      '__proto__',
      'null',
      '*',
      '%E2%80%AE',
    ],
  ),
  fc.constantFrom(...hostileTexts).map(encodeURIComponent),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
