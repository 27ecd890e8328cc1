export { writeAnnouncement } from './announcements/write-announcement.ts';
export { getOverview } from './get-overview.ts';
export { checkIntegrity, checkWhenDue } from './integrity/check-integrity.ts';
export { mountIntegrity } from './integrity/routes.ts';
export { mountConsole } from './routes.ts';
