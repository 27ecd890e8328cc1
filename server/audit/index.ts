/** The audit log: who did what, in the transaction that did it (docs/product.md, section 10). */
export type { StoredEntry } from './list-entries.ts';
export {
  type AuditQuery,
  exportOwnActions,
  firstRecorded,
  firstRecordedAt,
  listEntries,
  streamFoundEntries,
} from './list-entries.ts';
export { sealAudit } from './seal-audit.ts';
export { findLastSeal as findLastAuditSeal, listSeals as listAuditSeals } from './seal-sql.ts';
export { verifyAudit } from './verify-audit.ts';
export { type Actor, type AuditEntry, writeAudit } from './write-audit.ts';
