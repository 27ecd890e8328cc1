import { z } from 'zod';
import { endpoint, id, instant, page, paging } from './endpoint.ts';

export const notification = z.strictObject({ id, message: z.string(), createdAt: instant, read: z.boolean() });
export type Notification = z.output<typeof notification>;

export const notify = {
  listNotifications: endpoint({
    method: 'GET',
    path: '/notification',
    access: 'member',
    summary: 'Notifications, newest first, with the number of unread ones',
    query: z.strictObject(paging),
    data: page(notification).extend({ unread: z.number().int() }),
    refusals: [],
  }),
  markNotificationsRead: endpoint({
    method: 'POST',
    path: '/notification/read',
    access: 'member',
    summary: 'Mark all notifications up to and including this one as read',
    body: z.strictObject({ up_to: id }),
    data: z.strictObject({ unread: z.number().int() }),
    refusals: [],
  }),
};
