import { useSyncExternalStore } from 'react';
import type { OpenedBy, User } from '#contract/accounts/sign-in.ts';
import { createListeners } from './listeners.ts';
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
/** What confirms a token that came with an address; undefined when there is nothing to confirm here. */
let confirmation = readStored('confirmation');
/** How often a call was refused because the account is not confirmed. */
let refusedUnconfirmed = 0;
const { tell, subscribe } = createListeners();
const ends = createListeners();

const told: readonly string[] = ['accessToken', 'userDetail', 'confirmation'];

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== null && !told.includes(event.key)) return;
    const before = token;
    token = readStored('accessToken');
    member = readStored('userDetail');
    openedBy = readStored('openedBy');
    confirmation = readStored('confirmation');
    if (token !== before || event.key === 'confirmation') refusedUnconfirmed = 0;
    tell();
  });
}

export const getAccessToken = (): string | undefined => token;

/** What comes with a token of an address: an operator who looks, or what confirms that the account is one's own. */
type FromAddress = { readonly openedBy?: OpenedBy | undefined; readonly confirmation?: string | undefined };

export function signIn(accessToken: string, user: User, from: FromAddress = {}): void {
  token = accessToken;
  member = user;
  openedBy = from.openedBy;
  confirmation = from.confirmation;
  refusedUnconfirmed = 0;
  // Before the token, which is what other tabs hear of.
  if (openedBy) writeStored('openedBy', openedBy);
  else removeStored('openedBy');
  if (confirmation) writeStored('confirmation', confirmation);
  else removeStored('confirmation');
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
  confirmation = undefined;
  refusedUnconfirmed = 0;
  removeStored('openedBy');
  removeStored('confirmation');
  removeStored('accessToken');
  removeStored('userDetail');
  removeStored('announcement');
  tell();
}

/** The person at this browser said that the account is their own, and the server took it. */
export function endConfirmation(): void {
  confirmation = undefined;
  refusedUnconfirmed = 0;
  removeStored('confirmation');
  tell();
}

/** A call was refused because nobody has confirmed whose account this is: the strip that asks draws the eye. */
export function noteUnconfirmed(): void {
  refusedUnconfirmed += 1;
  tell();
}

/** A 401 clears the token and goes to `/` (the specification, point 4); the router listens, as only it can go there. */
export function endSession(): void {
  signOut();
  ends.tell();
}

export const onSessionEnd = ends.subscribe;

export const useSignedIn = (): boolean => useSyncExternalStore(subscribe, () => token !== undefined);

export const useAccessToken = (): string | undefined => useSyncExternalStore(subscribe, getAccessToken);

/** As far as it is known: what was stored may lack parts. */
export const useMember = (): StoredMember | undefined => useSyncExternalStore(subscribe, () => member);

/** Undefined while the member is signed in themselves. */
export const useOpenedBy = (): OpenedBy | undefined => useSyncExternalStore(subscribe, () => openedBy);

/** Undefined where nothing was taken from an address, or it is confirmed. */
export const useConfirmation = (): string | undefined => useSyncExternalStore(subscribe, () => confirmation);

/** 0 until a call was refused because the account is not confirmed; more with each one. */
export const useRefusedUnconfirmed = (): number => useSyncExternalStore(subscribe, () => refusedUnconfirmed);
