export { proposeAnnouncement, publishAnnouncement } from './announcements/announcements.ts';
export { getOverview } from './get-overview.ts';
export { checkWhenDue, findDiscrepancies, LONGEST_CHECK_SECONDS } from './integrity/check-integrity.ts';
export { mountConsole, mountIntegrity } from './routes.ts';
