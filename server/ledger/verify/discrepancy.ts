/** Something that no posting can have written: where, and what is wrong there. */
export type Discrepancy = {
  readonly kind: 'rule' | 'transfer' | 'account' | 'seal' | 'checkpoint' | 'daily rollup' | 'ledger';
  /** `transfer 17`, `profit of member 3`, `seal 4`. */
  readonly subject: string;
  readonly message: string;
};

/** One edit can put every later row in the wrong; more discrepancies of one kind would say nothing new. */
export const MAX_DISCREPANCIES = 100;
