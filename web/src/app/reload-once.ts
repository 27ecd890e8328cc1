const KEY = 'tradewind-reloaded-at';
const RETRY_AFTER_MS = 5 * 60_000;
const ASK_EVERY_MS = 5000;

/**
 * Whether the code of a page is missing: its file was removed by an update, or could not be loaded. Browsers have no
 * error name for it, so it is recognised by message: Chromium's, Firefox's, Safari's, and Vite's for a style sheet.
 */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(error.message);

/**
 * Reloads the page once the server responds: the new page names the files that exist. At most once in five minutes, so
 * that a missing file never causes a reload loop.
 *
 * @returns undefined when a reload was tried already, otherwise the function that cancels it
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

/** Without storage nothing would stop the reloads, so none is made. */
function wasReloaded(): boolean {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? Number.NEGATIVE_INFINITY);
    return Date.now() - last < RETRY_AFTER_MS;
  } catch {
    return true;
  }
}
