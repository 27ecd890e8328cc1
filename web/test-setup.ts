import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { signOutOperator } from './src/api/operator-state.ts';
import { signOut } from './src/api/sign-in-state.ts';
import { currentToasts, dismissToast } from './src/ui/frame/toast.ts';

// On a busy machine a page may need more than the second that is the default; a test that waits for nothing still fails.
configure({ asyncUtilTimeout: 10_000 });

// The canvas of a chart is the library's; without a real one there is nothing of it to see here.
vi.mock('./src/ui/charts/use-drawing.ts', () => ({
  useDrawing: () => ({ host: { current: null }, drawing: undefined, hasFailed: false }),
}));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  cleanup();
  for (const { id } of currentToasts()) dismissToast(id);
  signOut();
  signOutOperator();
  localStorage.clear();
});
