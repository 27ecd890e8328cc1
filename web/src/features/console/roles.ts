import type { OperatorRole } from '#contract/endpoint.ts';

/** Written here again because the contract's own list comes with its schemas, which stay out of the browser. */
export const everyRole: readonly OperatorRole[] = ['support', 'finance', 'admin'];

/** Who answers tickets. */
export const answerers: readonly OperatorRole[] = ['support', 'admin'];

/** Who lets money move. */
export const payers: readonly OperatorRole[] = ['finance', 'admin'];
