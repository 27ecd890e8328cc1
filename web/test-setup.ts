import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { signOut } from './src/shared/sign-in-state.ts';
import { currentToasts, dismissToast } from './src/shared/toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  cleanup();
  for (const { id } of currentToasts()) dismissToast(id);
  signOut();
  localStorage.clear();
});
