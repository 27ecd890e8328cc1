import type { TeamSort } from '#contract/team.ts';
import { useCursorPaging } from '../../ui/table/data-table.tsx';
import { useAddressFilter } from '../../ui/table/use-address-filter.ts';

const sorts: readonly TeamSort[] = ['joined', 'name', 'volume', 'team'];

/** The filter of a member list, kept in the address. A change starts over at the first page. */
export function useMemberFilter() {
  const paging = useCursorPaging();
  const { search: address, change } = useAddressFilter(paging);
  return {
    search: address.get('search') || undefined,
    sort: sorts.find((sort) => sort === address.get('sort')) ?? 'joined',
    level: levelOf(address.get('level')),
    paging,
    change,
  };
}

export type ListFilter = ReturnType<typeof useMemberFilter>;

/** The level in the address; an invalid one is the first. */
const levelOf = (text: string | null): number => (text !== null && /^([1-9]|10)$/.test(text) ? Number(text) : 1);
