export { writeAnnouncement } from './announcements/write-announcement.ts';
export { setSpread } from './assets/set-spread.ts';
export { mountConsole } from './console-routes.ts';
export { getOverview } from './get-overview.ts';
export { checkIntegrity, checkWhenDue } from './integrity/check-integrity.ts';
export { mountIntegrity } from './integrity/routes.ts';
export { mountOperatorOpen } from './open-routes.ts';
export { mountOperator } from './routes.ts';
