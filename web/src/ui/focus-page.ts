import { useEffect } from 'react';

const focus = (element: HTMLElement | null | undefined): void => element?.focus({ preventScroll: true });

/** By then Mantine has usually returned the focus to the button that opened the dialog. */
const FOCUS_RETURN_MS = 20;

/**
 * Moves the focus to the open dialog, to the heading of the detail beside a list that it was in, or to the page, when the
 * focused element is removed or disabled: cancelling a queued trade removes its button, and the last page of a list
 * disables the button that led there. Otherwise the next Tab would begin above the menu.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let holder: HTMLElement | null = null;
    let detail: HTMLElement | null = null;
    const isLost = () =>
      holder !== null &&
      (!holder.isConnected || holder.matches(':disabled')) &&
      [document.body, holder].includes(document.activeElement as HTMLElement);
    const moveIfLost = () => {
      if (!isLost()) return;
      const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
      // A closing dialog is about to return the focus, and would not if it had the focus meanwhile.
      if (dialog?.closest('[data-closing]')) return;
      const heading = detail?.isConnected ? detail.querySelector<HTMLElement>('h2[tabindex]') : null;
      focus(dialog ?? heading ?? document.getElementById('page'));
    };
    const remember = ({ target }: FocusEvent) => {
      holder = target as HTMLElement;
      // A dialog opened from the detail stands outside it.
      if (!holder.closest('[role="dialog"]')) detail = holder.closest('aside');
    };
    const observer = new MutationObserver(() => isLost() && setTimeout(moveIfLost, FOCUS_RETURN_MS));
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
