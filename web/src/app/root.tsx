import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Outlet, ScrollRestoration, useNavigate } from 'react-router';
import { toastMs } from '#contract/rules.ts';
import { paths } from '../shared/paths.ts';
import { createQueryClient } from '../shared/query-client.ts';
import { onSessionEnd, useSignedIn } from '../shared/sign-in-state.ts';
import { colorSchemeKey, cssVariablesResolver, defaultColorScheme, theme } from '../shared/theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: colorSchemeKey });
const queryClient = createQueryClient();

export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme={defaultColorScheme}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications
          position="top-right"
          containerWidth={360}
          limit={3}
          autoClose={toastMs}
          pauseResetOnHover="notification"
          transitionDuration={180}
          withAutoCloseProgress
        />
        {children}
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Around every page: what happens to all of them when a session ends. */
export function Root() {
  const navigate = useNavigate();
  const isSignedIn = useSignedIn();

  useEffect(() => onSessionEnd(() => navigate(paths.login)), [navigate]);

  // What one member read must not be there for the next; prices belong to everybody.
  useEffect(() => {
    if (!isSignedIn) queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'market' });
  }, [isSignedIn]);

  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
