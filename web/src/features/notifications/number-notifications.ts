import type { Notification } from '#contract/notify.ts';

export type NumberedNotification = Notification & { number: number };

/**
 * The notifications of all loaded pages, newest first, numbered from 1 through the pages. A page loaded before a new
 * notification came may repeat its last line on the next one; a line is numbered once.
 */
export function numberNotifications(pages: readonly { items: readonly Notification[] }[]): NumberedNotification[] {
  const byId = new Map(pages.flatMap((page) => page.items).map((item) => [item.id, item]));
  return [...byId.values()].map((item, index) => ({ ...item, number: index + 1 }));
}
