/** Telling members what happened: the drawer, and the outbox of mails (product.md section 9). */

export {
  type AnnouncementRow,
  insertAnnouncement,
  listAnnouncements,
  lockAnnouncement,
  updateEnded,
} from './announcement-sql.ts';
export { exportMessages } from './export-sql.ts';
export { forgetFailedTexts, listFailedMails, retryMail } from './failed-mails.ts';
export { forgetMember } from './forget-member.ts';
export { listMails, type StoredMail } from './list-mails.ts';
export { listNews, type News } from './list-news.ts';
export { isMailDelayed } from './mail-delay.ts';
export { type MailQueue, sumMails } from './mail-queue-sql.ts';
export { type MailTransport, openMailTransport } from './mail-transport.ts';
export { type Notice, notifyMember, notifyMembers } from './notify-members.ts';
export { queueMail } from './queue-mail.ts';
export { setRecipient } from './recipient.ts';
export { mountNotify } from './routes.ts';
export { sendDueMails } from './send-due-mails.ts';
