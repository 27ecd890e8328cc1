import { useEffect, useState } from 'react';

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
  const isEmpty = Object.entries(draft).every(([field, value]) => value === empty[field]);

  useEffect(() => {
    keepDraft(key, isEmpty ? undefined : draft);
  }, [key, draft, isEmpty]);

  const change = (next: Partial<T>) => setDraft((now) => ({ ...now, ...next }));
  const clear = () => {
    // At once: a page being left does not render again.
    keepDraft(key, undefined);
    setDraft(empty);
  };
  return { draft, change, clear };
}

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
