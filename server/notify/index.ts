/** Telling members what happened: the drawer, and the outbox of mails (docs/product.md, section 9). */

export {
  type AnnouncementRow,
  insertAnnouncement,
  listAnnouncements,
  lockAnnouncement,
  updateEnded,
} from './announcements.ts';
export { isMailDelayed } from './email/email-delay.ts';
export { forgetFailedTexts, listFailedMails, type MailQueue, retryMail, sumMails } from './email/failed-emails.ts';
export { listMails, type StoredMail } from './email/list-outbox-emails.ts';
export { type MailTransport, openMailTransport } from './email/mail-transport.ts';
export { queueMail } from './email/queue-email.ts';
export { setRecipient } from './email/recipient.ts';
export { sendDueMails } from './email/send-due-emails.ts';
export { exportMessages } from './export-sql.ts';
export { forgetMember } from './forget-member.ts';
export { listNews, type News } from './list-news.ts';
export { type Notice, notifyMember, notifyMembers } from './notify-members.ts';
export { mountNotify } from './routes.ts';
