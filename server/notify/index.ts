/** Notifications of members, in the app and by email (docs/product.md, section 9). */

export {
  type AnnouncementRow,
  insertAnnouncement,
  listAnnouncements,
  lockAnnouncement,
  updateEnded,
} from './announcements.ts';
export { type EmailTransport, openEmailTransport } from './email/email-transport.ts';
export {
  forgetFailedTexts,
  hasOutbox,
  isEmailDelayed,
  listEmails,
  listFailedEmails,
  retryEmail,
  type StoredEmail,
  sumEmails,
} from './email/outbox.ts';
export { sendDueEmails } from './email/send-due-emails.ts';
export { exportMessages } from './export-sql.ts';
export { forgetMember, replaceMessage } from './forget-member.ts';
export { listNews, type News } from './notifications.ts';
export { mountOutbox } from './operator-routes.ts';
export { emailOperators, type Notice, notifyMember, notifyMembers, queueEmail, setRecipient } from './queue-notices.ts';
export { mountNotify } from './routes.ts';
