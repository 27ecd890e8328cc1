import { call, callForFile } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import type { AuditFilter } from './filter.ts';

export const readAudit = (filter: AuditFilter) => (query: PageQuery, signal: AbortSignal) =>
  call(endpoints.audit.listAudit, { query: { ...filter, ...query }, signal });

/** All that fits as the server writes it. */
export const downloadAudit = (filter: AuditFilter, signal: AbortSignal): Promise<Blob> =>
  callForFile(endpoints.audit.listAudit, { query: { ...filter, format: 'csv' }, signal });
