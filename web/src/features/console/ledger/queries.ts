import { queryOptions } from '@tanstack/react-query';
import { call, callForFile } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import type { LedgerFilter } from './filter.ts';

const rows = endpoints.consoleLedger;

export const readTransfers = (filter: LedgerFilter) => (query: PageQuery, signal: AbortSignal) =>
  call(rows.listLedgerTransfers, { query: { ...filter, ...query }, signal });

/** All that fits as the server writes it. */
export const downloadTransfers = (filter: LedgerFilter, signal: AbortSignal): Promise<Blob> =>
  callForFile(rows.listLedgerTransfers, { query: { ...filter, format: 'csv' }, signal });

export const readSeals = (query: PageQuery, signal: AbortSignal) => call(rows.listLedgerSeals, { query, signal });

export const accountsQuery = queryOptions({
  queryKey: ['operator', 'ledger', 'accounts'],
  queryFn: ({ signal }) => call(rows.listLedgerAccounts, { signal }),
});

export const transferQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'ledger', 'transfer', id],
    queryFn: ({ signal }) => call(rows.getLedgerTransfer, { params: { id }, signal }),
  });

/** Made anew from what is stored each time somebody asks. */
export const inclusionQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'ledger', 'inclusion', id],
    queryFn: ({ signal }) => call(rows.getLedgerInclusion, { params: { id }, signal }),
    enabled: false,
    gcTime: 0,
  });
