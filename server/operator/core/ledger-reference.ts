/** What a reference of the ledger is about, where all its transfers have keys that begin alike. */
export type LedgerReference = {
  readonly kind: 'trade' | 'deposit' | 'withdrawal' | 'adjustment' | 'treasury';
  /** The number of a trade; otherwise the reference. */
  readonly text: string;
};

const kinds = { DP: 'deposit', WD: 'withdrawal', AD: 'adjustment', TM: 'treasury' } as const;

/** `readReference('trade 17')` is trade 17, `readReference('DP-7M2QX4')` a deposit; undefined for `session 2026-03-04`. */
export function readReference(text: string): LedgerReference | undefined {
  const [, trade] = /^trade ([1-9]\d{0,17})$/.exec(text) ?? [];
  if (trade !== undefined) return { kind: 'trade', text: trade };
  const [, head] = /^(DP|WD|AD|TM)-[A-Z0-9]{4,12}$/.exec(text) ?? [];
  return head === undefined ? undefined : { kind: kinds[head as keyof typeof kinds], text };
}
