import { screen, waitFor } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderAt } from '../../test/render.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { MissingPart } from './missing-part.tsx';
import { isMissingPart } from './reload-once.ts';

const healthz = vi.fn<() => Promise<Response>>();
beforeEach(() => {
  sessionStorage.clear();
  healthz.mockReset().mockImplementation(async () => Response.json({ status: 'ok' }));
  vi.stubGlobal('fetch', healthz);
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

const open = () => {
  const reload = vi.fn();
  const { unmount } = renderAt('/', <MissingPart reload={reload} />);
  return { reload, unmount };
};

test('a missing chunk reloads the page by itself once the server answers', async () => {
  const { reload } = open();
  expect(screen.getByRole('heading', { name: 'This page could not be loaded' })).toBeTruthy();
  expect(screen.getByText(/reloads as soon as the server answers/)).toBeTruthy();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test('a chunk that is still missing after that does not reload the page again, and can be loaded by hand', async () => {
  const first = open();
  await waitFor(() => expect(first.reload).toHaveBeenCalledTimes(1));
  first.unmount();
  const asked = healthz.mock.calls.length;
  const { reload } = open();
  expect(await screen.findByText(/Reloading did not help/)).toBeTruthy();
  expect(healthz.mock.calls.length).toBe(asked);
  expect(reload).not.toHaveBeenCalled();
  screen.getByRole('button', { name: 'Reload page' }).click();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('while the server does not answer the page stays, and keeps trying', async () => {
  vi.useFakeTimers();
  healthz.mockRejectedValueOnce(new TypeError('offline')).mockResolvedValueOnce(new Response('', { status: 503 }));
  const { reload } = open();
  await vi.advanceTimersByTimeAsync(9000);
  expect(healthz).toHaveBeenCalledTimes(2);
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test.each([
  ['Failed to fetch dynamically imported module: https://x/assets/a.js', true],
  ['error loading dynamically imported module: https://x/assets/a.js', true],
  ['Importing a module script failed.', true],
  ['Unable to preload CSS for /assets/a.css', true],
  ["Cannot read properties of undefined (reading 'map')", false],
])('%s: %s', (message, expected) => {
  expect(isMissingPart(new TypeError(message))).toBe(expected);
});

test('the router shows this page for a missing chunk, and the error page for a page that crashes', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  sessionStorage.setItem('tradewind-reloaded-at', String(Date.now()));
  const Gone = lazy(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/a.js')));
  const Broken = lazy(() => Promise.reject(new TypeError('x is not a function')));
  for (const [Page, title] of [
    [Gone, 'This page could not be loaded'],
    [Broken, 'This page could not be displayed'],
  ] as const) {
    const { unmount } = renderAt(
      '/',
      <ErrorBoundary>
        <Suspense>
          <Page />
        </Suspense>
      </ErrorBoundary>,
    );
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    unmount();
  }
  errors.mockRestore();
});
