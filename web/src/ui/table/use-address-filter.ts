import { useSearchParams } from 'react-router';

/**
 * Keeps the filter of a list in the address, so that it can be bookmarked and shared. A change starts over at the first
 * page and adds no history entry; undefined values are removed.
 */
export function useAddressFilter(paging: { reset: () => void }) {
  const [search, setSearch] = useSearchParams();
  const change = (changes: Readonly<Record<string, string | undefined>>) => {
    paging.reset();
    setSearch(
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
  return { search, change };
}
