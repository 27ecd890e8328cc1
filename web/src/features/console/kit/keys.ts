import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

type RowFocus = {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** The row with the open detail, where navigation starts; −1 for none. */
  opened: number;
  /** Whether a detail is open, of a row of this list or of one that has left it. */
  isOpen: boolean;
  scrollTo: (index: number) => void;
  onClose: (() => void) | undefined;
};

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/**
 * One row of a list is in the tab order, and keys move from there: j and k anywhere on the page, arrows only where they
 * would not scroll something else. A row that is not rendered yet is rendered first and then focused. Closing the detail
 * with the focus in it returns the focus to the row.
 */
export function useRowFocus({ scroller, count, opened, isOpen, scrollTo, onClose }: RowFocus) {
  const [active, setActive] = useState(Math.max(opened, 0));
  const wanted = useRef<number>(null);
  // When rows are removed, one must stay in the tab order.
  const here = Math.min(active, Math.max(count - 1, 0));

  const moveTo = (index: number) => {
    wanted.current = index;
    setActive(index);
    scrollTo(index);
    focusRow(scroller.current, wanted);
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      if (event.key === 'Escape') return onClose?.();
      const step = steps[event.key];
      if (step === undefined || count === 0) return;
      const isInList = event.target instanceof Node && scroller.current?.contains(event.target);
      if (event.key.startsWith('Arrow') && !isInList && event.target !== document.body) return;
      event.preventDefault();
      moveTo(isInList ? Math.min(Math.max(here + step, 0), count - 1) : here);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && count > 0 && document.activeElement === document.body) moveTo(here);
    wasOpen.current = isOpen;
    focusRow(scroller.current, wanted);
  });

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

/** Whether a key belongs to a field, a dialog or a menu, or has a modifier: the page ignores it. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select');
}

/** Shortcuts of the page, except while typing. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (act === undefined || isTyping(event)) return;
      // The shortcut itself must not be typed into the field it focuses.
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
