import { useSyncExternalStore } from 'react';
import type { OpenedBy, User } from '#contract/accounts/sign-in.ts';
import { createListeners } from './listeners.ts';
import { readStored, removeStored, type StoredMember, writeStored } from './storage.ts';

/**
 * Signed in means that a token is stored (the specification, point 6). The token is also held in memory, so that a
 * browser whose storage fails still works until the page is closed, and so that components are notified of changes,
 * including those of other tabs.
 */
const readState = () => ({
  /** For a token with which an operator views the member's account. */
  openedBy: readStored('openedBy'),
  /** Confirms a token that came with an address; undefined when there is nothing to confirm. */
  confirmation: readStored('confirmation'),
  accessToken: readStored('accessToken'),
  userDetail: readStored('userDetail'),
});
type State = ReturnType<typeof readState>;

const signedOut: State = {
  openedBy: undefined,
  confirmation: undefined,
  accessToken: undefined,
  userDetail: undefined,
};

let state = readState();
/** How many calls were refused because the account is not confirmed. */
let refusedUnconfirmed = 0;
const { notify, subscribe } = createListeners();
const ends = createListeners();

const watchedKeys: readonly string[] = ['accessToken', 'userDetail', 'confirmation'];

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== null && !watchedKeys.includes(event.key)) return;
    const before = state.accessToken;
    state = readState();
    if (before !== undefined && state.accessToken !== undefined && state.accessToken !== before) {
      // This tab slept through a sign-out, which is made up for: nothing of the member before may stay.
      state = signedOut;
      setTimeout(() => {
        state = readState();
        notify();
      });
    }
    if (state.accessToken !== before || event.key === 'confirmation') refusedUnconfirmed = 0;
    notify();
  });
}

/** Stores the changed parts in their order. */
function change(parts: Partial<State>): void {
  state = { ...state, ...parts };
  for (const key of Object.keys(parts) as (keyof State)[]) writeStored(key, state[key]);
  notify();
}

export const getAccessToken = (): string | undefined => state.accessToken;

/**
 * Data that comes with a token in an address: the viewing operator, or what confirms that the account is the person's
 * own.
 */
type FromAddress = { readonly openedBy?: OpenedBy | undefined; readonly confirmation?: string | undefined };

export function signIn(accessToken: string, user: User, from: FromAddress = {}): void {
  refusedUnconfirmed = 0;
  // The token comes after what belongs to it, because its change notifies other tabs.
  change({ openedBy: from.openedBy, confirmation: from.confirmation, accessToken, userDetail: user });
}

/** The member as last reported by the server; the sign-in stays as it is. */
export function changeMember(user: User): void {
  if (state.accessToken !== undefined) change({ userDetail: user });
}

/** Clears token and member; used by the Sign out button and on a 401. */
export function signOut(): void {
  refusedUnconfirmed = 0;
  removeStored('announcement');
  change(signedOut);
}

/** The person at this browser confirmed that the account is their own, and the server accepted it. */
export function endConfirmation(): void {
  refusedUnconfirmed = 0;
  change({ confirmation: undefined });
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

export const useSignedIn = (): boolean => useSyncExternalStore(subscribe, () => state.accessToken !== undefined);

export const useAccessToken = (): string | undefined => useSyncExternalStore(subscribe, getAccessToken);

/** As far as known: the stored member may lack parts. */
export const useMember = (): StoredMember | undefined => useSyncExternalStore(subscribe, () => state.userDetail);

/** Undefined while members themselves are signed in. */
export const useOpenedBy = (): OpenedBy | undefined => useSyncExternalStore(subscribe, () => state.openedBy);

/** Undefined where no token came with an address, or it is confirmed. */
export const useConfirmation = (): string | undefined => useSyncExternalStore(subscribe, () => state.confirmation);

/** The number of calls refused because the account is not confirmed. */
export const useRefusedUnconfirmed = (): number => useSyncExternalStore(subscribe, () => refusedUnconfirmed);
