import { useEffect } from 'react';

const focus = (element: HTMLElement | null | undefined): void => element?.focus({ preventScroll: true });

/** By then Mantine has usually returned the focus to the button that opened the dialog. */
const FOCUS_RETURN_MS = 20;

/** From the inside out. */
function regionsOf(element: HTMLElement): HTMLElement[] {
  const region = element.closest<HTMLElement>('#page section:is([aria-label], [aria-labelledby])');
  return region ? [region, ...(region.parentElement ? regionsOf(region.parentElement) : [])] : [];
}

/** A region takes the focus until it moves on. */
function focusRegion(region: HTMLElement): void {
  if (!region.hasAttribute('tabindex')) {
    region.tabIndex = -1;
    region.addEventListener('blur', () => region.removeAttribute('tabindex'), { once: true });
  }
  focus(region);
}

/**
 * Moves the focus to the open dialog (there to the first field of its next step), to the heading of the detail beside a
 * list that it was in, to the card that it was in, or to the page, when the focused element is removed or disabled:
 * cancelling a queued trade removes its button, and the last page of a list disables the button that led there. So does
 * signing in or out, whose page may load first: the next change of the document tries again. Otherwise the next Tab would
 * begin above the menu.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let holder: HTMLElement | null = null;
    let detail: HTMLElement | null = null;
    let regions: HTMLElement[] = [];
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
      const region = regions.find(({ isConnected }) => isConnected);
      const first = dialog?.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)');
      if (dialog || heading || !region) focus(first ?? dialog ?? heading ?? document.getElementById('page'));
      else focusRegion(region);
    };
    const remember = ({ target }: FocusEvent) => {
      holder = target as HTMLElement;
      // A dialog opened from there stands outside.
      if (holder.closest('[role="dialog"]')) return;
      detail = holder.closest('aside');
      regions = regionsOf(holder);
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
