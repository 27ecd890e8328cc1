import { useEffect, useState } from 'react';

type Draft = Readonly<Record<string, string>>;

/** Sets the draft on screen, by its key: once sent it is cleared there, too, if its page was left and opened again. */
const shown = new Map<string, (change: <D extends Draft>(now: D) => D) => void>();

/**
 * Text typed but not sent, kept until the tab is closed: it survives a visit to another page and a sign-out. Files are
 * not kept.
 *
 * @param owner the signed-in person, so that each has their own
 * @param name tells it from other drafts: `query`, `reply/7`
 */
export function useDraft<T extends Record<string, string>>(owner: string, name: string, empty: T) {
  const key = `draft/${owner}/${name}`;
  const [draft, setDraft] = useState<T>(() => ({ ...empty, ...readDraft(key) }));
  const isEmpty = isSame(draft, empty);

  useEffect(() => {
    keepDraft(key, isEmpty ? undefined : draft);
  }, [key, draft, isEmpty]);

  useEffect(() => {
    shown.set(key, setDraft);
    return () => void shown.delete(key);
  }, [key]);

  const change = (next: Partial<T>) => setDraft((now) => ({ ...now, ...next }));
  /** Of what was on screen when it was sent; what was typed since stays. */
  const clear = () => {
    // At once: a page being left does not render again.
    if (isSame({ ...empty, ...readDraft(key) }, draft)) keepDraft(key, undefined);
    shown.get(key)?.((now) => (isSame(now, draft) ? { ...now, ...empty } : now));
  };
  return { draft, change, clear };
}

const isSame = (one: Draft, other: Draft) => Object.entries(one).every(([field, value]) => value === other[field]);

function readDraft(key: string): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return Object.fromEntries(
      Object.entries(kept ?? {}).filter((field): field is [string, string] => typeof field[1] === 'string'),
    );
  } catch (error) {
    console.error(error);
    return {};
  }
}

function keepDraft(key: string, draft: Record<string, string> | undefined): void {
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft));
    else sessionStorage.removeItem(key);
  } catch (error) {
    console.error(error);
  }
}
