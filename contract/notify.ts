import { z } from 'zod';
import { endpoint, id, instant, page, paging } from './endpoint.ts';

export const notification = z.strictObject({ id, message: z.string(), createdAt: instant, read: z.boolean() });
export type Notification = z.output<typeof notification>;

/** What a member can have by mail or not; what protects an account is always mailed (docs/product.md, section 9). */
export const mailTopics = ['deposits', 'tickets', 'incomes', 'trading'] as const;
export type MailTopic = (typeof mailTopics)[number];

const mailPreferences = z.strictObject({
  /** Credited, failed, under review. */
  deposits: z.boolean(),
  /** Answered or closed by support. */
  tickets: z.boolean(),
  /** Bonuses, weekly and monthly income, rewards. */
  incomes: z.boolean(),
  /** Settled sessions, plans that pause. */
  trading: z.boolean(),
});
export type MailPreferences = z.output<typeof mailPreferences>;

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
  getMailPreferences: endpoint({
    method: 'GET',
    path: '/notification/preferences',
    access: 'member',
    summary: 'What also goes by mail; mails about sign-in, addresses and withdrawals always do',
    data: mailPreferences,
    refusals: [],
  }),
  setMailPreferences: endpoint({
    method: 'PUT',
    path: '/notification/preferences',
    access: 'member',
    summary: 'Choose what also goes by mail; what is left out stays as it is',
    body: mailPreferences.partial(),
    data: mailPreferences,
    refusals: [],
  }),
};
