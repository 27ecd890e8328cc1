import { randomText } from './random-text.ts';

type Pending = { key: string; at: number };
const PENDING = 'pending-keys';
const PENDING_MS = 3_600_000;

/**
 * Keys of money-moving calls that got no response, or one that leaves the outcome open, and when they were last sent.
 * When the member presses the button again with the same values, the same key is sent, also after a reload, so that the
 * money cannot move twice. An hour later the same values are something new: the key would only bring the first reply
 * again.
 */
const pendingKeys = readPending();

/** The key to send with a request, and the name under which it is kept until `forgetKey`. */
export function pendingKey(method: string, path: string, body: string | undefined) {
  const name = `${method} ${path} ${body ?? ''}`;
  const pending = pendingKeys.get(name);
  const at = Date.now();
  const key = pending !== undefined && at - pending.at < PENDING_MS ? pending.key : randomText();
  pendingKeys.set(name, { key, at });
  keepPending();
  return { name, key };
}

/** The request is answered. */
export function forgetKey({ name }: { name: string }): void {
  pendingKeys.delete(name);
  keepPending();
}

function readPending(): Map<string, Pending> {
  try {
    return new Map<string, Pending>(JSON.parse(sessionStorage.getItem(PENDING) ?? '[]'));
  } catch {
    return new Map();
  }
}

function keepPending(): void {
  const kept = [...pendingKeys].filter(([name, { at }]) => isKept(name) && Date.now() - at < PENDING_MS);
  try {
    if (kept.length === 0) sessionStorage.removeItem(PENDING);
    else sessionStorage.setItem(PENDING, JSON.stringify(kept));
  } catch {
    // Blocked or full: a reload forgets them.
  }
}

/** Not those of a sign-up, whose body has a password, and of attached files, which a reload loses. */
const isKept = (name: string) => !name.startsWith('POST /auth/register') && name.length < 20_000;
