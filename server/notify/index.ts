export { listMails, type StoredMail } from './list-mails.ts';
export { findNotificationPage } from './list-notifications.ts';
export { type MailTransport, openMailTransport } from './mail-transport.ts';
export { type MemberMail, type Notice, notifyMember, notifyMembers } from './notify-members.ts';
export { type Mail, queueMail } from './queue-mail.ts';
export { type Recipient, setRecipient } from './recipient.ts';
export { mountNotify } from './routes.ts';
export { type MailRun, sendDueMails } from './send-due-mails.ts';
