import type { ReactNode } from 'react';
import { createListeners } from '../../api/listeners.ts';

type Tone = 'success' | 'error' | 'info';
export type Toast = { id: number; tone: Tone; title: ReactNode; text: ReactNode | undefined; isAtField: boolean };

/** The most that are shown at once; more are queued. */
export const MAX_TOASTS = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const { notify, subscribe } = createListeners();

function change(next: readonly Toast[]) {
  toasts = next;
  notify();
}

/** Identical toasts at the same time are merged: two calls refused for one reason are one fact. */
const isShown = (tone: Tone, title: ReactNode, text: ReactNode) =>
  toasts.some((other) => other.tone === tone && other.title === title && other.text === text);

function show(tone: Tone, title: ReactNode, text?: ReactNode, isAtField = false) {
  if (isShown(tone, title, text)) return;
  lastId += 1;
  change([...toasts, { id: lastId, tone, title, text, isAtField }]);
}

/**
 * Toasts of 3 seconds, rendered by ui/frame/toaster.tsx. Without a text the title is the whole message; with one it is
 * the heading:
 * `toast.success('Trade placed', '$550.00 in link/usdt from the Primary Wallet')`.
 */
export const toast = {
  success: (title: ReactNode, text?: ReactNode) => show('success', title, text),
  error: (title: ReactNode, text?: ReactNode) => show('error', title, text),
  info: (title: ReactNode, text?: ReactNode) => show('info', title, text),
  /** A refusal that names a field, where the page says it, too. */
  refusal: (title: string) => show('error', title, undefined, true),
};

export const dismissToast = (id: number): void => change(toasts.filter((other) => other.id !== id));

export const subscribeToToasts = subscribe;

export const currentToasts = (): readonly Toast[] => toasts;
