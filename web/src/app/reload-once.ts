const KEY = 'tradewind-reloaded-at';
const AGAIN_AFTER_MS = 5 * 60_000;
const ASK_EVERY_MS = 5000;

/**
 * Whether a part of the app is missing: its file is gone since an update, or did not come. Browsers have no name for it, so
 * their words tell: Chromium's, Firefox's, Safari's, and Vite's for a style sheet.
 */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(error.message);

/**
 * Reloads the page once the server answers: the new one names the files that are there. At most once in five minutes, so
 * that a part that stays missing never reloads the page again and again.
 *
 * @returns undefined when it was tried already, else the function that gives it up
 */
export function reloadOnce(reload: () => void): (() => void) | undefined {
  if (wasReloaded()) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const ask = async () => {
    const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isOver) return;
    if (!isThere) {
      timer = setTimeout(ask, ASK_EVERY_MS);
      return;
    }
    sessionStorage.setItem(KEY, String(Date.now()));
    reload();
  };
  void ask();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Without storage nothing would end the reloading, so it is not begun. */
function wasReloaded(): boolean {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? Number.NEGATIVE_INFINITY);
    return Date.now() - last < AGAIN_AFTER_MS;
  } catch {
    return true;
  }
}
