export { type Actor, type AuditEntry, writeAudit } from './write-audit.ts';
