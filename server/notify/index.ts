/** Telling members what happened: the drawer, and the outbox of mails (docs/product.md, section 9). */

export {
  type AnnouncementRow,
  insertAnnouncement,
  listAnnouncements,
  lockAnnouncement,
  updateEnded,
} from './announcements.ts';
export { type MailTransport, openMailTransport } from './email/mail-transport.ts';
export {
  forgetFailedTexts,
  isMailDelayed,
  listFailedMails,
  listMails,
  type MailQueue,
  retryMail,
  type StoredMail,
  sumMails,
} from './email/outbox.ts';
export { queueMail, setRecipient } from './email/queue-email.ts';
export { sendDueMails } from './email/send-due-emails.ts';
export { exportMessages } from './export-sql.ts';
export { forgetMember } from './forget-member.ts';
export { listNews, type News } from './notifications.ts';
export { type Notice, notifyMember, notifyMembers } from './notify-members.ts';
export { mountOutbox } from './operator-routes.ts';
export { mountNotify } from './routes.ts';
