import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import { appInfo } from '../src/api/app-info.ts';
import { AppQueryClient } from '../src/api/query-client.ts';
import { theme } from '../src/ui/frame/theme.ts';
import { Toaster } from '../src/ui/frame/toaster.tsx';

import { type Answers, stubServer } from './server.ts';

type At = string | { pathname: string; search?: string; hash?: string; state?: unknown };

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="Address">{`${pathname}${search}`}</output>;
}

/** The current address. */
export const addressNow = () => screen.getByLabelText('Address', { selector: 'output' }).textContent;

/** A page that reads its address: `onRoute('/trades/:id', <TradePage />)`. */
export const onRoute = (path: string, page: ReactNode) => (
  <Routes>
    <Route path={path} element={page} />
  </Routes>
);

/** A screen narrower than 768 px, or another for which the queries hold. */
export const onMobile = (...queries: readonly string[]) =>
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: ['(max-width: 47.99em)', ...queries].includes(media),
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));

/** Orders are sent to an exchange, until the test ends. */
export const atExchange = () => {
  appInfo.venue = 'ccxt';
  onTestFinished(() => {
    appInfo.venue = 'paper';
  });
};

/** Dialogs fade for longer than any test runs. */
const slowTheme = mergeThemeOverrides(theme, {
  components: { Modal: { ...theme.components?.Modal, defaultProps: { transitionProps: { duration: 600_000 } } } },
});

/**
 * Renders with everything around a page of the app, and outputs its address under the name "Address". Dialogs are
 * removed as soon as they close, or stay under the pointer (`fading`).
 */
export function renderAt(at: At, element: ReactNode, { fading = false } = {}) {
  const client = new AppQueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <MantineProvider
      theme={fading ? slowTheme : theme}
      env={fading ? 'default' : 'test'}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[at]}>
          {element}
          <Address />
        </MemoryRouter>
        <Toaster />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

/** The same with a server that knows the given calls and no others. */
export function showPage(at: At, element: ReactNode, answers: Answers) {
  const calls = stubServer(answers);
  renderAt(at, element);
  return { calls, sentTo: (name: string) => calls.filter((call) => call.name === name) };
}

/** The query of a recorded call. */
export const queryOf = ({ url }: { url: string }) => Object.fromEntries(new URL(url, 'http://app.test').searchParams);
