/** What happens, told at once to members who listen (docs/product.md, sections 8 and 9, docs/api.md, "Live updates"). */
export { purgeEvents } from './event-sql.ts';
export { type Live, openLive } from './open-live.ts';
export { mountLive } from './routes.ts';
export { startLive } from './start-live.ts';
