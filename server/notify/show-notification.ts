import type { Notification } from '#contract/notify.ts';
import type { NotificationRow } from './notification-sql.ts';

export const showNotification = (row: NotificationRow): Notification => ({
  id: row.id.toString(),
  message: row.message,
  createdAt: row.created_at.toISOString(),
  read: row.read_at !== null,
});
