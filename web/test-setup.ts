import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { signOutOperator } from './src/api/operator-state.ts';
import { signOut } from './src/api/sign-in-state.ts';
import { currentToasts, dismissToast } from './src/ui/frame/toast.ts';

// On a busy machine a page may need more than the default of one second; a wait that never ends still fails.
configure({ asyncUtilTimeout: 10_000 });

// No test calls a real server: what `stubServer` does not answer fails.
globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));

// Pages are also opened over plain HTTP, where browsers offer neither of these.
Reflect.deleteProperty(Object.getPrototypeOf(crypto), 'randomUUID');
Reflect.deleteProperty(Object.getPrototypeOf(navigator), 'clipboard');

// Charts draw on a canvas, which this environment does not have, so nothing of them can be tested here.
vi.mock('./src/ui/charts/use-drawing.ts', () => ({
  useDrawing: () => ({ host: { current: null }, drawing: undefined, hasFailed: false }),
}));

// Examples are of this year, in every year.
vi.mock('./src/ui/format/this-year.ts', () => ({ thisYear: () => 2026 }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  cleanup();
  for (const { id } of currentToasts()) dismissToast(id);
  signOut();
  signOutOperator();
  localStorage.clear();
});
