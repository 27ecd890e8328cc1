import type { QueryClient } from '@tanstack/react-query';

let isReady = false;

/** Whether the server tells by itself what happens. */
export const isLive = (): boolean => isReady;

/** How often each list on screen is asked for depends on it, and starts anew from here. */
export function setLive(next: boolean, client: QueryClient): void {
  if (isReady === next) return;
  isReady = next;
  for (const { observers } of client.getQueryCache().findAll({ type: 'active' })) {
    // By itself an observer looks at its interval again only with its next answer.
    for (const observer of observers) observer.setOptions(observer.options);
  }
}
