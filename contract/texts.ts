/** A language's texts, keyed by the English ones: `"Sign in": "Anmelden"`; counted texts have one form per plural. */
export type Catalogue = Readonly<Record<string, string | PluralForms>>;
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** English has two; `#` stands for the count. */
type EnglishForms = { readonly one: string; readonly other: string };

export type Texts = {
  readonly language: string;
  /** A text in the reader's language: t`Deposit of ${amount} credited` is looked up as `Deposit of {0} credited`. */
  readonly t: (strings: TemplateStringsArray, ...values: readonly (string | number)[]) => string;
  /** `plural(2, { one: '# trade', other: '# trades' }) === '2 trades'`, looked up as `# trade|# trades`. */
  readonly plural: (count: number, forms: EnglishForms) => string;
  /**
   * Translates a filled-in English text of `english` or of the server: `Deposit of $5.00 credited` matches
   * `Deposit of {0} credited`. A text that is not in the catalogue stays English.
   */
  readonly translate: (text: string) => string;
};

/**
 * The email subject of a text without one of its own: its first sentence, at most 120 characters.
 * `firstSentence('Session of 4 March settled: +$12.40.') === 'Session of 4 March settled'`
 */
export function firstSentence(text: string): string {
  const first = /^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text;
  return first.replace(/[.:]$/, '').slice(0, 120);
}

/** The source texts. Modules whose texts are translated later, or elsewhere, mark them with `english.t`. */
export const english: Texts = createTexts('en');

/** Looks up the texts of a module (docs/decisions/0016-texts.md). Without a catalogue they stay English. */
export function createTexts(language: string, catalogue?: Catalogue): Texts {
  const numbers = new Intl.NumberFormat(language);
  const rules = new Intl.PluralRules(language);
  const own = (key: string) => (catalogue && Object.hasOwn(catalogue, key) ? catalogue[key] : undefined);
  const textOf = (key: string) => {
    const found = own(key);
    return typeof found === 'string' ? found : undefined;
  };
  const count = (number: number, forms: PluralForms) =>
    (forms[rules.select(number)] ?? forms.other ?? '').replaceAll('#', numbers.format(number));

  let patterns: readonly Pattern[] | undefined;
  const translateShown = (text: string): string => {
    patterns ??= listPatterns(catalogue ?? {});
    for (const { shown, key, isCount } of patterns) {
      const values = shown
        .exec(text)
        ?.slice(1)
        .filter((value) => value !== undefined);
      if (!values) continue;
      if (isCount) return count(Number(values[0]?.replaceAll(',', '')), own(key) as PluralForms);
      return fill(own(key) as string, values.map(translate));
    }
    return text;
  };
  const translate = (text: string) => (catalogue ? (textOf(text) ?? translateShown(text)) : text);

  return {
    language,
    t: (strings, ...values) => {
      const key = catalogue ? textOf(keyOf(strings)) : undefined;
      return key === undefined ? String.raw({ raw: strings }, ...values) : fill(key, values.map(String));
    },
    plural: (number, forms) => {
      const found = own(`${forms.one}|${forms.other}`);
      return count(number, typeof found === 'object' ? found : forms);
    },
    translate,
  };
}

const keyOf = (strings: readonly string[]) =>
  strings.reduce((key, part, index) => (index === 0 ? part : `${key}{${index - 1}}${part}`), '');

const fill = (text: string, values: readonly string[]) =>
  text.replace(/\{(\d+)\}/g, (place, index) => values[Number(index)] ?? place);

type Pattern = { readonly shown: RegExp; readonly key: string; readonly isCount: boolean };

/** Patterns that match filled-in texts, the most specific first. */
function listPatterns(catalogue: Catalogue): Pattern[] {
  const withValues = Object.entries(catalogue).flatMap(([key, found]) =>
    typeof found === 'string'
      ? /\{0\}/.test(key)
        ? [{ key, forms: [key], isCount: false }]
        : []
      : [{ key, forms: key.split('|'), isCount: true }],
  );
  return withValues
    .map((text) => ({ ...text, literal: text.key.replace(/\{\d+\}/g, '') }))
    .filter(({ literal }) => /\p{L}{2}/u.test(literal))
    .sort((a, b) => b.literal.length - a.literal.length)
    .map(({ key, forms, isCount }) => ({
      key,
      isCount,
      shown: new RegExp(`^(?:${forms.map(patternOf).join('|')})$`),
    }));
}

/** In English, values appear in the order of their numbers, so the nth group is the nth value. */
const patternOf = (form: string) =>
  form
    .split(/\{\d+\}|#/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(form.includes('#') ? '([\\d,]+)' : '(.+?)');
