import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { TicketMessage } from '#contract/tickets/tickets.ts';
import { firstUnseen } from './first-unseen.ts';
import { useMarkRead } from './queries.ts';

const subscribe = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

const isLookedAt = () => document.visibilityState === 'visible';

/** Tells the server what was seen: all messages, once the last one is on a screen that somebody can look at. */
export function useMarkSeen(ticketId: string, messages: readonly TicketMessage[], isAtEnd: boolean): void {
  const { mutate } = useMarkRead(ticketId);
  const isVisible = useSyncExternalStore(subscribe, isLookedAt);
  const told = useRef<string>(undefined);
  const last = messages.at(-1)?.id;
  const isDue = isVisible && isAtEnd && firstUnseen(messages) !== undefined;

  useEffect(() => {
    if (!isDue || last === undefined || told.current === last) return;
    told.current = last;
    mutate(last, {
      onError: () => {
        told.current = undefined;
      },
    });
  }, [isDue, last, mutate]);
}
