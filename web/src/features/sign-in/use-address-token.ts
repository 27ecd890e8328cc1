import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { signIn } from '../../api/sign-in-state.ts';
import { toast } from '../../ui/frame/toast.ts';
import { useCheckToken } from './queries.ts';

const PARAMETER = 'accessToken';

/**
 * `?accessToken=` on the login page (docs/product.md, section 8): removed from the address at once, so that it is
 * neither bookmarked nor shared, and stored only after the server said whose it is. The page is shown only while no
 * token is stored, so nobody's session is replaced. Returns whether a token is being checked.
 */
export function useAddressToken(): boolean {
  const [search, setSearch] = useSearchParams();
  const token = search.get(PARAMETER);
  const checked = useRef<string>(undefined);
  const { mutate, isPending } = useCheckToken();

  useEffect(() => {
    if (!token || checked.current === token) return;
    checked.current = token;
    setSearch(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete(PARAMETER);
        return rest;
      },
      { replace: true },
    );
    mutate(token, {
      onSuccess: ({ user, opened_by }) => {
        signIn(token, user, opened_by ?? undefined);
        toast.info(`Signed in as ${user.name}`);
      },
    });
  }, [token, setSearch, mutate]);

  return isPending;
}
