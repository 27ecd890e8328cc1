import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

type RowFocus = {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** The row that is open beside the list; −1 when none is. Keys begin there. */
  opened: number;
  scrollTo: (index: number) => void;
  onClose: (() => void) | undefined;
};

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/**
 * One row of a list can be reached by Tab, and keys move on from it: j and k wherever the focus is on the page, the
 * arrows only where they would not scroll something else. A row far away is drawn first and gets the focus then.
 */
export function useRowFocus({ scroller, count, opened, scrollTo, onClose }: RowFocus) {
  const [active, setActive] = useState(Math.max(opened, 0));
  const wanted = useRef<number>(null);
  // Rows that went away must not take the way into the list with them.
  const here = Math.min(active, Math.max(count - 1, 0));

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      if (event.key === 'Escape') return onClose?.();
      const step = steps[event.key];
      if (step === undefined || count === 0) return;
      const isInList = event.target instanceof Node && scroller.current?.contains(event.target);
      if (event.key.startsWith('Arrow') && !isInList && event.target !== document.body) return;
      event.preventDefault();
      const next = isInList ? Math.min(Math.max(here + step, 0), count - 1) : here;
      wanted.current = next;
      setActive(next);
      scrollTo(next);
      focusRow(scroller.current, wanted);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  useLayoutEffect(() => focusRow(scroller.current, wanted));

  return { active: here, setActive };
}

function focusRow(list: HTMLElement | null, wanted: { current: number | null }) {
  if (wanted.current === null) return;
  const row = list?.querySelector<HTMLElement>(`tr[data-index="${wanted.current}"]`);
  if (!row) return;
  wanted.current = null;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}

/**
 * Whether a key belongs to whatever has the focus and not to the page: it goes into a field, has a modifier, or a
 * dialog or a menu is open.
 */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select');
}

/** Single keys that do something on the page, wherever the focus is, but not while somebody types. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (act === undefined || isTyping(event)) return;
      // The key that leads into a field is not to be typed into it.
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
