import type { DataOf } from '#contract/endpoint.ts';
import { toDollars } from '#contract/money.ts';
import type { consoleLedger } from '#contract/operator/ledger.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { getBalanceSheet } from '#server/income/index.ts';

type Accounts = DataOf<typeof consoleLedger.listLedgerAccounts>;

/** What every account holds, members' together by class, as of one moment. */
export async function listLedgerAccounts({ db }: Context): Promise<Accounts> {
  const { accounts } = await inSnapshot(db, getBalanceSheet);
  return {
    items: accounts.map(({ name, group, micros }) => ({
      account: name as Accounts['items'][number]['account'],
      group,
      amount: toDollars(micros),
    })),
  };
}
