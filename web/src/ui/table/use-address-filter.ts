import { useSearchParams } from 'react-router';

/**
 * The filter of a list stands in the address, so that it can be kept and shared. Changing it begins again at the first page
 * and is no step of its own for the way back; what is undefined is taken out.
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
