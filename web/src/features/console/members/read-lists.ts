import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';

const { consoleMembers: rows } = endpoints;

/** The paging calls behind the lists of one member. */
export const readListOf = {
  movements: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listMovementsOf, { params: { id }, query, signal }),
  trades: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listTradesOf, { params: { id }, query, signal }),
  plans: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listPlansOf, { params: { id }, query, signal }),
  deposits: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listDepositsOf, { params: { id }, query, signal }),
  withdrawals: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listWithdrawalsOf, { params: { id }, query, signal }),
  tickets: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listTicketsOf, { params: { id }, query, signal }),
  audit: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(endpoints.audit.listAudit, { query: { ...query, subject: `member:${id}` }, signal }),
};
