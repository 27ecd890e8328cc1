import { z } from 'zod';
import { endpoint, id, instant, page, paging } from './endpoint.ts';

export const notification = z.strictObject({ id, message: z.string(), createdAt: instant, read: z.boolean() });
export type Notification = z.output<typeof notification>;

/** Optional email notifications; security emails are always sent (docs/product.md, section 9). */
export const mailTopics = ['deposits', 'tickets', 'incomes', 'trading'] as const;
export type MailTopic = (typeof mailTopics)[number];

const mailPreferences = z.strictObject({
  /** Credited, failed, under review. */
  deposits: z.boolean(),
  /** Answered or closed by support. */
  tickets: z.boolean(),
  /** Bonuses, weekly and monthly income, rewards. */
  incomes: z.boolean(),
  /** Settled sessions, trades cancelled by the system, plans that pause or skip. */
  trading: z.boolean(),
  /** The language of emails: `en`, or one for which the installation has a catalogue. */
  language: z.string().max(20),
});
export type MailPreferences = z.output<typeof mailPreferences>;

export const notify = {
  listNotifications: endpoint({
    method: 'GET',
    path: '/notification',
    access: 'member',
    summary: 'List notifications, newest first, with the unread count',
    query: z.strictObject(paging),
    data: page(notification).extend({ unread: z.number().int() }),
  }),
  markNotificationsRead: endpoint({
    method: 'POST',
    path: '/notification/read',
    access: 'member',
    summary: 'Mark notifications as read up to and including this one',
    body: z.strictObject({ up_to: id }),
    data: z.strictObject({ unread: z.number().int() }),
  }),
  getMailPreferences: endpoint({
    method: 'GET',
    path: '/notification/preferences',
    access: 'member',
    summary: 'Get email notification preferences; emails about sign-in, addresses and withdrawals are always sent',
    data: mailPreferences,
  }),
  setMailPreferences: endpoint({
    method: 'PUT',
    path: '/notification/preferences',
    access: 'member',
    summary: 'Set email notification preferences; omitted ones stay unchanged',
    body: mailPreferences.partial(),
    data: mailPreferences,
  }),
};
