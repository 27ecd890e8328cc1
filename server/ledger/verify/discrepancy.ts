/** Something that no posting can have written. */
export type Discrepancy = {
  readonly kind: 'rule' | 'transfer' | 'account' | 'seal' | 'checkpoint' | 'daily rollup' | 'ledger';
  /** `transfer 17`, `profit of member 3`, `seal 4`. */
  readonly subject: string;
  readonly message: string;
};

/** Limit per kind: one edit can invalidate every later row, and more of them would say nothing new. */
export const MAX_DISCREPANCIES = 100;
