import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';
import { type Operator, readStored, removeStored, writeStored } from './storage.ts';

export type { Operator };

/**
 * The console's sign-in, separate from a member's: one browser may hold both, and neither ends the other. Also held in
 * memory, for a browser whose storage fails; other tabs are notified of changes.
 */
let token = readStored('operatorToken');
let operator = readStored('operator');
const { notify, subscribe } = createListeners();

function read() {
  token = readStored('operatorToken');
  operator = readStored('operator');
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== null && event.key !== 'operatorToken' && event.key !== 'operator') return;
    const before = token;
    read();
    if (before !== undefined && token !== undefined && token !== before) {
      // This tab slept through a sign-out, which is made up for: nothing of the operator before may stay.
      token = undefined;
      setTimeout(() => {
        read();
        notify();
      });
    }
    notify();
  });
}

export const getOperatorToken = (): string | undefined => token;

export function signInOperator(accessToken: string, signedIn: Operator): void {
  token = accessToken;
  writeStored('operatorToken', accessToken);
  changeOperator(signedIn);
}

/** The server's latest word on the operator: another role, a second factor set up or removed. */
export function changeOperator(changed: Operator): void {
  operator = changed;
  writeStored('operator', changed);
  notify();
}

/** The server serves no operator without a second factor: the console asks for it to be set up. */
export function requireSecondFactor(): void {
  if (operator?.second_factor) changeOperator({ ...operator, second_factor: false });
}

/** Clears token and operator; the console then shows its sign-in page. */
export function signOutOperator(): void {
  token = undefined;
  operator = undefined;
  removeStored('operatorToken');
  removeStored('operator');
  notify();
}

export const useOperatorIfAny = (): Operator | undefined =>
  useSyncExternalStore(subscribe, () => (token === undefined ? undefined : operator));

/** For what is shown only to an operator who is signed in. */
export function useOperator(): Operator {
  const signedIn = useOperatorIfAny();
  if (signedIn === undefined) throw new Error('no operator is signed in');
  return signedIn;
}
