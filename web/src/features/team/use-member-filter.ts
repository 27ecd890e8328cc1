import { useSearchParams } from 'react-router';
import type { TeamSort } from '#contract/team.ts';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';

const sorts: readonly TeamSort[] = ['joined', 'name', 'volume', 'team'];

/** What a list of members shows, as it stands in the address. A change of it begins again at the first page. */
export function useMemberFilter() {
  const [address, setAddress] = useSearchParams();
  const paging = useCursorPaging();
  const change = (changes: Partial<Record<'search' | 'sort' | 'level', string | undefined>>) => {
    paging.reset();
    setAddress(
      (now) => {
        for (const [name, value] of Object.entries(changes)) {
          now.delete(name);
          if (value !== undefined) now.set(name, value);
        }
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return {
    search: address.get('search') || undefined,
    sort: sorts.find((sort) => sort === address.get('sort')) ?? 'joined',
    level: levelOf(address.get('level')),
    paging,
    change,
  };
}

export type ListFilter = ReturnType<typeof useMemberFilter>;

/** The level of the address; anything that is none is the first. */
const levelOf = (text: string | null): number => (text !== null && /^([1-9]|10)$/.test(text) ? Number(text) : 1);
