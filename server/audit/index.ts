/** The audit log: who did what, in the transaction that did it (product.md section 10). */
export { type Actor, writeAudit } from './write-audit.ts';
