import { Refused } from '#server/refused.ts';

const MAX_DEPTH = 16;
/** Each value costs many times its own letters: a body that is large by one long text is cheap, one of millions of numbers is not. */
const MOST_VALUES = 64 * 1024;
/** No amount needs more; reading longer ones to the last digit takes longer than it is worth. */
const LONGEST_NUMBER = 100;

/**
 * JSON without its traps (docs/api.md, "Request bodies"): no duplicate keys (the last would silently win), no
 * `__proto__`, no depth that breaks a later stringify, no more than 65 536 values, no half of a surrogate pair, which no
 * UTF-8 and no database can carry, and no number that changes by being read. A number that cannot be carried exactly becomes NaN, which every schema refuses with the name of its field.
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

/** Node passes the number's own text since version 21. */
function readExactly(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new Refused('unreadable_body');
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return isExact(context.source, value) ? value : Number.NaN;
}

/**
 * True when reading lost nothing: `5.50` is exact, `5.0000000000000000001`, `1e309` and `-0` are not.
 */
export function isExact(source: string, value: number): boolean {
  if (!Number.isFinite(value) || Object.is(value, -0) || source.length > LONGEST_NUMBER) return false;
  return canonical(source) === canonical(String(value));
}

/** Digits without leading and trailing zeros, and the power of ten they stand at: `1.50e1` → `15e0`. */
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

/** So many digits read the same whatever they are, unless there is a sign, for -0, or an exponent. */
const EXACT_DIGITS = 15;

/**
 * One pass over the text that knows strings, brackets and numbers; the grammar itself is left to JSON.parse.
 *
 * @returns whether each value is read exactly, so that none has to be looked at again
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
      if (values > MOST_VALUES) throw new Refused('unreadable_body');
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

/** Behind its sign, digits and point. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (text[at] === '.' || isDigit(text[at])) at += 1;
  return at;
}

/** From quote to quote: a file in base64 is millions of characters without one. A quote after an odd number of `\` is text. */
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
