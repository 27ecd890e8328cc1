import type { LedgerTransfer } from '#contract/operator/ledger.ts';
import { type FilterField, periodOf } from '../kit/filter-form.tsx';
import { accountOptions, accountWords, reasonOptions } from './labels.ts';

export const filterFields: readonly FilterField[] = [
  { name: 'account', label: 'Account', placeholder: 'All accounts', options: accountOptions },
  { name: 'reason', label: 'Reason', placeholder: 'All reasons', options: reasonOptions },
  { name: 'reference', label: 'Reference', placeholder: 'WD-7M2QX4' },
  { name: 'key', label: 'Key', placeholder: 'trade/17/' },
  { name: 'member_id', label: 'Member, by id', placeholder: '17' },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
];

type Account = LedgerTransfer['from']['account'];

export type LedgerFilter = {
  account?: Account;
  reason?: LedgerTransfer['reason'];
  member_id?: string;
  reference?: string;
  key?: string;
  from?: string;
  to?: string;
};

const ID = /^[1-9]\d{0,17}$/;

/** The filter that an address names, as the call takes it; what does not fit its form is left out. */
export function filterOf(params: URLSearchParams): LedgerFilter {
  const filter: LedgerFilter = { ...periodOf(params) };
  const account = params.get('account');
  if (account !== null && Object.hasOwn(accountWords, account)) filter.account = account as Account;
  const reason = reasonOptions.find(({ value }) => value === params.get('reason'))?.value;
  if (reason !== undefined) filter.reason = reason;
  const member = params.get('member_id')?.trim() ?? '';
  if (ID.test(member)) filter.member_id = member;
  for (const name of ['reference', 'key'] as const) {
    const value = params.get(name)?.trim();
    if (value) filter[name] = value;
  }
  return filter;
}
