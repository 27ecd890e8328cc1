import type { ReactNode } from 'react';
import { createListeners } from '../../api/listeners.ts';

type Tone = 'success' | 'error' | 'info';
export type Toast = { id: number; tone: Tone; title: ReactNode; text: ReactNode | undefined; isTold: boolean };

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

function show(tone: Tone, title: ReactNode, text?: ReactNode, isTold = false) {
  if (isShown(tone, title, text)) return;
  lastId += 1;
  change([...toasts, { id: lastId, tone, title, text, isTold }]);
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
  /** A refusal that names a field. Where the page tells it there, screen readers are not told again by the toast. */
  refusal: (title: string) => setTimeout(() => show('error', title, undefined, isToldOnPage(title)), DRAWN_MS),
};

/** By then the refusal is at its field, which has the focus. */
const DRAWN_MS = 100;

/** Whether screen readers were told: by an alert, or by the description of what has the focus. */
function isToldOnPage(text: string): boolean {
  const described = document.activeElement?.closest('[aria-describedby]')?.getAttribute('aria-describedby') ?? '';
  const told = ['[role="alert"]', ...described.split(' ').map((id) => `[id="${id}"]`)];
  return [...document.querySelectorAll(told.join())].some((one) => one.textContent?.includes(text));
}

export const dismissToast = (id: number): void => change(toasts.filter((other) => other.id !== id));

export const subscribeToToasts = subscribe;

export const currentToasts = (): readonly Toast[] => toasts;
