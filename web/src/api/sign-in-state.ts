import { useSyncExternalStore } from 'react';
import type { OpenedBy, User } from '#contract/accounts/sign-in.ts';
import { readStored, removeStored, type StoredMember, writeStored } from './storage.ts';

/**
 * Signed in means that a token is stored (the specification, point 6). The token is also kept here, so that a browser
 * whose storage fails still works until the page is closed, and so that components hear of changes, also of those
 * made in another tab.
 */
let token = readStored('accessToken');
let member = readStored('userDetail');
/** Of a token by which an operator looks at the member's account. */
let openedBy = readStored('openedBy');
const listeners = new Set<() => void>();
const endListeners = new Set<() => void>();

const tell = () => {
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== null && event.key !== 'accessToken' && event.key !== 'userDetail') return;
    token = readStored('accessToken');
    member = readStored('userDetail');
    openedBy = readStored('openedBy');
    tell();
  });
}

export const getAccessToken = (): string | undefined => token;

export function signIn(accessToken: string, user: User, opened?: OpenedBy): void {
  token = accessToken;
  member = user;
  openedBy = opened;
  // Before the token, which is what other tabs hear of.
  if (opened) writeStored('openedBy', opened);
  else removeStored('openedBy');
  writeStored('accessToken', accessToken);
  writeStored('userDetail', user);
  tell();
}

/** The member as the server now knows them; the sign-in stays as it is. */
export function changeMember(user: User): void {
  if (token === undefined) return;
  member = user;
  writeStored('userDetail', user);
  tell();
}

/** Forgets token and member; used by the Sign out button and by a 401. */
export function signOut(): void {
  token = undefined;
  member = undefined;
  openedBy = undefined;
  removeStored('openedBy');
  removeStored('accessToken');
  removeStored('userDetail');
  tell();
}

/** A 401 clears the token and goes to `/` (the specification, point 4); the router listens, as only it can go there. */
export function endSession(): void {
  signOut();
  for (const listener of endListeners) listener();
}

export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

export const useSignedIn = (): boolean => useSyncExternalStore(subscribe, () => token !== undefined);

export const useAccessToken = (): string | undefined => useSyncExternalStore(subscribe, getAccessToken);

/** As far as it is known: what was stored may lack parts. */
export const useMember = (): StoredMember | undefined => useSyncExternalStore(subscribe, () => member);

/** Undefined while the member is signed in themselves. */
export const useOpenedBy = (): OpenedBy | undefined => useSyncExternalStore(subscribe, () => openedBy);
