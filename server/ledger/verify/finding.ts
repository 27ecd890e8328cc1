/** Something that no posting can have written: where, and what is wrong there. */
export type Finding = {
  readonly kind: 'rule' | 'transfer' | 'account' | 'seal' | 'checkpoint' | 'flow total' | 'books';
  /** `transfer 17`, `profit of member 3`, `seal 4`. */
  readonly subject: string;
  readonly message: string;
};

/** One edit can put every later row in the wrong; more findings of one kind would say nothing new. */
export const MOST_FINDINGS = 100;
