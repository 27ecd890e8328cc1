import { Refused } from '#server/refused.ts';

const MAX_DEPTH = 16;
/** A parsed value takes many times its text: one long string is cheap, millions of numbers are not. */
const MAX_VALUES = 64 * 1024;
/** No amount needs more, and exact parsing of longer numbers is slow. */
const MAX_NUMBER_LENGTH = 100;

/**
 * Parses JSON strictly (docs/api.md, "Request bodies"): no duplicate keys (the last would silently win), no
 * `__proto__`, no depth that breaks a later stringify, at most 65 536 values, and no lone surrogates, which neither
 * UTF-8 nor the database can represent. A number that a double cannot represent exactly becomes NaN, which every schema
 * refuses with the name of its field.
 *
 * @throws Refused `unreadable_body`
 */
export function parseStrictJson(text: string): unknown {
  const isPlain = checkStructure(text);
  try {
    return isPlain ? JSON.parse(text) : JSON.parse(text, readExactly);
  } catch {
    throw new Refused('unreadable_body');
  }
}

/** Node passes the source text of numbers since version 21. */
function readExactly(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new Refused('unreadable_body');
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return isExact(context.source, value) ? value : Number.NaN;
}

/**
 * Whether parsing lost nothing: `5.50` is exact; `5.0000000000000000001`, `1e309` and `-0` are not.
 */
export function isExact(source: string, value: number): boolean {
  if (!Number.isFinite(value) || Object.is(value, -0) || source.length > MAX_NUMBER_LENGTH) return false;
  return canonical(source) === canonical(String(value));
}

/** Digits without leading and trailing zeros, and their power of ten: `1.50e1` → `15e0`. */
function canonical(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - trimmed.length);
  return `${negative ? '-' : ''}${trimmed}e${power}`;
}

/** A number of up to 15 digits is always exact, except with a sign (-0) or an exponent. */
const EXACT_DIGITS = 15;

/**
 * One pass over the text that tracks strings, brackets and numbers; JSON.parse checks the grammar.
 *
 * @returns whether every value is certainly exact, so that no reviver is needed
 */
function checkStructure(text: string): boolean {
  const objects: (Set<string> | null)[] = [];
  let values = 1;
  // An escape may be half of a surrogate pair.
  let isPlain = !text.includes('\\') && text.isWellFormed();
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      if (isKey(text, end)) addKey(objects.at(-1), text.slice(at, end));
      at = end;
      continue;
    }
    if (char === '{' || char === '[') {
      objects.push(char === '{' ? new Set() : null);
      if (objects.length > MAX_DEPTH) throw new Refused('unreadable_body');
    } else if (char === '}' || char === ']') {
      objects.pop();
    } else if (char === ',') {
      values += 1;
      if (values > MAX_VALUES) throw new Refused('unreadable_body');
    } else if (isPlain && (char === '-' || isDigit(char))) {
      const end = endOfNumber(text, at);
      isPlain = char !== '-' && end - at <= EXACT_DIGITS && text[end] !== 'e' && text[end] !== 'E';
      at = end;
      continue;
    }
    at += 1;
  }
  return isPlain;
}

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9';

/** The end of its sign, digits and point. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (text[at] === '.' || isDigit(text[at])) at += 1;
  return at;
}

/**
 * Searches for quotes, because a base64 file has millions of characters. A quote after an odd number of `\` is text.
 */
function endOfString(text: string, start: number): number {
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return text.length + 1;
    let escapes = quote;
    while (escapes > from && text[escapes - 1] === '\\') escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function addKey(keys: Set<string> | null | undefined, quoted: string): void {
  const key = quoted.includes('\\') ? unquote(quoted) : quoted.slice(1, -1);
  if (key === '__proto__' || !key.isWellFormed() || keys?.has(key)) throw new Refused('unreadable_body');
  keys?.add(key);
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new Refused('unreadable_body');
  }
}
