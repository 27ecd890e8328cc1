/** Moves focus to the page when the focused element has gone; otherwise the next Tab would start above the menu. */
export const focusPage = (): void => document.getElementById('page')?.focus({ preventScroll: true });
