import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { asFile, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import {
  findLedgerTransfers,
  getLedgerInclusion,
  getLedgerTransfer,
  writeLedgerTransfers,
} from './ledger-transfers.ts';
import { listLedgerAccounts } from './list-ledger-accounts.ts';
import { listLedgerSeals } from './list-ledger-seals.ts';

export function mountConsoleLedger(http: Http, context: Context): void {
  mount(http, endpoints.consoleLedger, {
    listLedgerAccounts: () => listLedgerAccounts(context),
    listLedgerTransfers: async ({ query: { format, ...query } }) => {
      if (format !== 'csv') return findLedgerTransfers(context, query);
      const { limit: _limit, cursor: _cursor, ...filter } = query;
      return asFile(await writeLedgerTransfers(context, filter));
    },
    getLedgerTransfer: ({ params }) => getLedgerTransfer(context, BigInt(params.id)),
    getLedgerInclusion: ({ params }) => getLedgerInclusion(context, BigInt(params.id)),
    listLedgerSeals: ({ query }) => listLedgerSeals(context, query),
  });
}
