import { type Referenced, referenceHeads } from '#contract/rules.ts';

/** The possible meanings of a search text, normalised for each index; undefined where the text cannot mean that. */
export type SearchTerms = {
  readonly id: bigint | undefined;
  readonly referralCode: string | undefined;
  /** Lower case. */
  readonly email: string | undefined;
  /** With the leading plus sign. */
  readonly mobile: string | undefined;
  readonly lastDigits: string | undefined;
  /** Lower case, longest first; empty if there are none. */
  readonly nameWords: readonly string[];
  readonly address: string | undefined;
  /** `DP-7M2QX4`, in upper case, or a trade. */
  readonly reference: Reference | undefined;
  readonly transaction: string | undefined;
};

/** Shorter terms would match nearly everyone. */
const MIN_LETTERS = 2;
const MIN_DIGITS = 4;
const MIN_ADDRESS_LENGTH = 6;

/**
 * Parses a search (docs/product.md, section 10, "Console"). `dp-7m2qx4` is a deposit or a word; `+91 98765 43210` a
 * mobile number; `4321` the last digits of one, member 4321 or a word; `TJRab…` an address, transaction, email or word.
 */
export function readSearch(text: string): SearchTerms {
  const whole = text.trim();
  // `+44 (0)7911 123456`: the zero in brackets is for calls within the country.
  const plain = whole.replace('(0)', '').replaceAll(/[\s()-]/g, '');
  // As typed within a country (09876…) or to another (0091…), where the number itself has no zero.
  const withoutZeros = plain.replace(/^0+/, '');
  const lastDigits = withoutZeros.length < MIN_DIGITS ? plain : withoutZeros;
  const isNumber = /^\+?\d+$/.test(plain);
  const isOneWord = /^\S+$/.test(whole);
  // As emails and pages write an address: `TJRa bPrw bZy4`.
  const isGrouped = /^(\S{4}\s+)+\S{1,4}$/.test(whole);
  const joined = whole.replaceAll(/\s/g, '');
  const nameWords = whole
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const longest = nameWords.toSorted((one, other) => other.length - one.length);
  return {
    id: /^[1-9]\d{0,17}$/.test(whole) ? BigInt(whole) : undefined,
    referralCode: /^[A-Za-z0-9]{3,20}$/.test(joined) ? joined.toUpperCase() : undefined,
    email: isOneWord && whole.length >= MIN_LETTERS ? whole.toLowerCase() : undefined,
    mobile: isNumber && plain.startsWith('+') && plain.length > MIN_DIGITS ? plain : undefined,
    lastDigits: isNumber && !plain.startsWith('+') && plain.length >= MIN_DIGITS ? lastDigits : undefined,
    nameWords: (longest[0]?.length ?? 0) >= MIN_LETTERS ? longest : [],
    address: (isOneWord || isGrouped) && joined.length >= MIN_ADDRESS_LENGTH ? joined : undefined,
    reference: readReference(whole) ?? readReference(whole.toUpperCase()),
    transaction: isOneWord && whole.length >= MIN_ADDRESS_LENGTH ? whole : undefined,
  };
}

/** The record that a reference names; `text` is the number of a trade, otherwise the reference itself. */
export type Reference = { readonly kind: Referenced | 'trade'; readonly text: string };

/** `readReference('trade 17')` is trade 17, `readReference('DP-7M2QX4')` a deposit; undefined for `session 2026-03-04`. */
export function readReference(text: string): Reference | undefined {
  const [, trade] = /^trade ([1-9]\d{0,17})$/i.exec(text) ?? [];
  if (trade !== undefined) return { kind: 'trade', text: trade };
  const [, head] = /^([A-Z]{1,2})-[A-Z0-9]{4,12}$/.exec(text) ?? [];
  const kind = (Object.keys(referenceHeads) as Referenced[]).find((one) => referenceHeads[one] === head);
  return kind && { kind, text };
}
