import type { OpenedBy, User } from '#contract/identity.ts';
import type { Operator } from './operator-state.ts';

/** What is stored locally, as JSON values (specification.md, point 3); the last two are the operators' console's. */
type Stored = {
  accessToken: string;
  userDetail: User;
  openedBy: OpenedBy;
  referral_code: string;
  operatorToken: string;
  operator: Operator;
};

/** The stored value, or undefined when there is none. A failure is logged, not thrown (specification.md, point 8). */
export function readStored<K extends keyof Stored>(key: K): Stored[K] | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as Stored[K]);
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

export function writeStored<K extends keyof Stored>(key: K, value: Stored[K]): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch (error) {
    console.error(error);
  }
}

export function removeStored(key: keyof Stored): void {
  try {
    localStorage.removeItem(key);
  } catch (error) {
    console.error(error);
  }
}
