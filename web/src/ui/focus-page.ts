/** For when what had the focus is gone: the page takes it, or the next Tab would begin above the menu. */
export const focusPage = (): void => document.getElementById('page')?.focus({ preventScroll: true });
