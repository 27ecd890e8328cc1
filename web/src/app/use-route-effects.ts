import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';
import { onSessionEnd, useSignedIn } from '../api/sign-in-state.ts';
import { paths } from '../ui/paths.ts';

const notOfMembers: readonly unknown[] = ['market', 'operator', 'invitation'];

/** What happens on every page: where a 401 leads, what is forgotten on leaving, where a new page begins. */
export function useRouteEffects(): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const navigationType = useNavigationType();
  const isSignedIn = useSignedIn();

  useEffect(() => onSessionEnd(() => navigate(paths.login)), [navigate]);

  // What one member read must not be there for the next; prices belong to everybody, the console forgets by itself.
  useEffect(() => {
    if (!isSignedIn) client.removeQueries({ predicate: ({ queryKey }) => !notOfMembers.includes(queryKey[0]) });
  }, [client, isSignedIn]);

  // A new page begins at its top; going back, the browser itself finds the place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what moves the page
  useEffect(() => {
    if (navigationType !== 'POP') window.scrollTo(0, 0);
  }, [pathname, navigationType]);
}
