import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';
import { onSessionEnd, useSignedIn } from '../api/sign-in-state.ts';
import { paths } from '../ui/paths.ts';

const notOfMembers: readonly unknown[] = ['market', 'operator', 'invitation'];

/** Effects on every page: where a 401 leads, what is cleared on leaving, where a new page starts. */
export function useRouteEffects(): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const navigationType = useNavigationType();
  const isSignedIn = useSignedIn();

  useEffect(() => onSessionEnd(() => navigate(paths.login)), [navigate]);

  // One member's data must not be cached for the next. Prices are public; the console clears its own.
  useEffect(() => {
    if (!isSignedIn) client.removeQueries({ predicate: ({ queryKey }) => !notOfMembers.includes(queryKey[0]) });
  }, [client, isSignedIn]);

  // A new page starts at the top; going back, the browser restores the scroll position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what moves the page
  useEffect(() => {
    if (navigationType !== 'POP') window.scrollTo(0, 0);
  }, [pathname, navigationType]);
}
