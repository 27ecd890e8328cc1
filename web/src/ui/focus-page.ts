import { useEffect } from 'react';

/** For when what had the focus is gone: the page takes it, or the next Tab would begin above the menu. */
export const focusPage = (): void => document.getElementById('page')?.focus({ preventScroll: true });

/** By then Mantine has returned the focus to the button that opened the dialog. */
export const FOCUS_RETURN_MS = 20;

/**
 * Moves the focus to the open dialog, or to the page, when the element that had it is removed or disabled: a queued trade
 * that is cancelled takes its button along, and the last page of a list disables the button that led there.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let holder: Element | null = null;
    const isLost = () => {
      const now = document.activeElement;
      const isGone = holder !== null && (!holder.isConnected || holder.matches(':disabled'));
      return isGone && (now === document.body || now === holder);
    };
    const moveIfLost = () => {
      if (!isLost()) return;
      const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
      if (dialog === undefined) focusPage();
      else dialog.focus({ preventScroll: true });
    };
    const remember = ({ target }: FocusEvent) => {
      holder = target instanceof Element ? target : null;
    };
    const observer = new MutationObserver(() => {
      if (isLost()) setTimeout(moveIfLost, FOCUS_RETURN_MS);
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
