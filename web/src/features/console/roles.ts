import type { OperatorRole } from '#contract/endpoint.ts';

/** Repeated here because the contract's list comes with its schemas, which stay out of the browser. */
export const everyRole: readonly OperatorRole[] = ['support', 'finance', 'admin'];
export const ticketRoles: readonly OperatorRole[] = ['support', 'admin'];
export const financeRoles: readonly OperatorRole[] = ['finance', 'admin'];
export const supportAccessRoles: readonly OperatorRole[] = ['support', 'admin'];
