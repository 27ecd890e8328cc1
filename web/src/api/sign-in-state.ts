import { useSyncExternalStore } from 'react';
import type { OpenedBy, User } from '#contract/accounts/sign-in.ts';
import { createListeners } from './listeners.ts';
import { readStored, removeStored, type StoredMember, writeStored } from './storage.ts';

/**
 * Signed in means that a token is stored (the specification, point 6). The token is also held in memory, so that a
 * browser whose storage fails still works until the page is closed, and so that components are notified of changes,
 * including those of other tabs.
 */
let token = readStored('accessToken');
let member = readStored('userDetail');
/** For a token with which an operator views the member's account. */
let openedBy = readStored('openedBy');
/** Confirms a token that came with an address; undefined when there is nothing to confirm. */
let confirmation = readStored('confirmation');
/** How many calls were refused because the account is not confirmed. */
let refusedUnconfirmed = 0;
const { notify, subscribe } = createListeners();
const ends = createListeners();

const watchedKeys: readonly string[] = ['accessToken', 'userDetail', 'confirmation'];

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== null && !watchedKeys.includes(event.key)) return;
    const before = token;
    token = readStored('accessToken');
    member = readStored('userDetail');
    openedBy = readStored('openedBy');
    confirmation = readStored('confirmation');
    if (token !== before || event.key === 'confirmation') refusedUnconfirmed = 0;
    notify();
  });
}

export const getAccessToken = (): string | undefined => token;

/**
 * Data that comes with a token in an address: the viewing operator, or what confirms that the account is the person's
 * own.
 */
type FromAddress = { readonly openedBy?: OpenedBy | undefined; readonly confirmation?: string | undefined };

export function signIn(accessToken: string, user: User, from: FromAddress = {}): void {
  token = accessToken;
  member = user;
  openedBy = from.openedBy;
  confirmation = from.confirmation;
  refusedUnconfirmed = 0;
  // Before the token, whose change notifies other tabs.
  if (openedBy) writeStored('openedBy', openedBy);
  else removeStored('openedBy');
  if (confirmation) writeStored('confirmation', confirmation);
  else removeStored('confirmation');
  writeStored('accessToken', accessToken);
  writeStored('userDetail', user);
  notify();
}

/** The member as last reported by the server; the sign-in stays as it is. */
export function changeMember(user: User): void {
  if (token === undefined) return;
  member = user;
  writeStored('userDetail', user);
  notify();
}

/** Clears token and member; used by the Sign out button and on a 401. */
export function signOut(): void {
  token = undefined;
  member = undefined;
  openedBy = undefined;
  confirmation = undefined;
  refusedUnconfirmed = 0;
  removeStored('openedBy');
  removeStored('confirmation');
  removeStored('accessToken');
  removeStored('userDetail');
  removeStored('announcement');
  notify();
}

/** The person at this browser confirmed that the account is their own, and the server accepted it. */
export function endConfirmation(): void {
  confirmation = undefined;
  refusedUnconfirmed = 0;
  removeStored('confirmation');
  notify();
}

/** A call was refused because the account is not confirmed: the strip that asks for it is highlighted. */
export function reportUnconfirmed(): void {
  refusedUnconfirmed += 1;
  notify();
}

/**
 * A 401 clears the token and leads to `/` (the specification, point 4); the router listens, since only it can navigate.
 */
export function endSession(): void {
  signOut();
  ends.notify();
}

export const onSessionEnd = ends.subscribe;

export const useSignedIn = (): boolean => useSyncExternalStore(subscribe, () => token !== undefined);

export const useAccessToken = (): string | undefined => useSyncExternalStore(subscribe, getAccessToken);

/** As far as known: the stored member may lack parts. */
export const useMember = (): StoredMember | undefined => useSyncExternalStore(subscribe, () => member);

/** Undefined while members themselves are signed in. */
export const useOpenedBy = (): OpenedBy | undefined => useSyncExternalStore(subscribe, () => openedBy);

/** Undefined where no token came with an address, or it is confirmed. */
export const useConfirmation = (): string | undefined => useSyncExternalStore(subscribe, () => confirmation);

/** The number of calls refused because the account is not confirmed. */
export const useRefusedUnconfirmed = (): number => useSyncExternalStore(subscribe, () => refusedUnconfirmed);
