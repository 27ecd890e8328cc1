import { language } from '../../api/texts.ts';

/** The language of everything on screen. */
export const locale = (): string => language;

/** `en` alone formats dates as in the United States; members read `4 Mar 2026`. */
const regions: Partial<Record<string, string>> = { en: 'en-GB' };

/** The locale passed to `Intl`: the language with its region. The browser's own may be one that `Intl` refuses. */
export const localeTag = (): string => regions[locale()] ?? locale();

const built = new Map<string, unknown>();

/** Creating a formatter takes a thousand times as long as using it, so each is created once. */
function once<Format>(kind: string, options: object, make: (tag: string) => Format): Format {
  const tag = localeTag();
  const key = `${kind} ${tag} ${JSON.stringify(options)}`;
  if (!built.has(key)) built.set(key, make(tag));
  return built.get(key) as Format;
}

export const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  once('number', options, (tag) => new Intl.NumberFormat(tag, options));

export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  once('date', options, (tag) => new Intl.DateTimeFormat(tag, options));
