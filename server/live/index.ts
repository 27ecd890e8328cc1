/** Tells members with an open socket at once what happens (docs/product.md, section 9; docs/api.md, "Live updates"). */
export { purgeEvents } from './event-sql.ts';
export { type Live, openLive } from './open-live.ts';
export { mountLive } from './routes.ts';
export { startLive } from './start-live.ts';
