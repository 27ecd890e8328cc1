/** What references begin with, by what they name. */
export const referenceHeads = {
  deposit: 'DP',
  withdrawal: 'WD',
  adjustment: 'AD',
  treasury: 'TM',
  fee_plan: 'FP',
  loosening: 'LO',
  email_change: 'EC',
  announcement: 'AN',
  reserve: 'RS',
  venue_fill: 'VF',
  statement_line: 'SL',
  asset_limits: 'AL',
  ticket: 'Q',
} as const;
export type Referenced = keyof typeof referenceHeads;

/** What a reference names; the text is the number of a trade, otherwise the reference. */
export type Reference = { readonly kind: Referenced | 'trade'; readonly text: string };

/** `readReference('trade 17')` is trade 17, `readReference('DP-7M2QX4')` a deposit; undefined for `session 2026-03-04`. */
export function readReference(text: string): Reference | undefined {
  const [, trade] = /^trade ([1-9]\d{0,17})$/.exec(text) ?? [];
  if (trade !== undefined) return { kind: 'trade', text: trade };
  const [, head] = /^([A-Z]{1,2})-[A-Z0-9]{4,12}$/.exec(text) ?? [];
  const kind = (Object.keys(referenceHeads) as Referenced[]).find((one) => referenceHeads[one] === head);
  return kind && { kind, text };
}
