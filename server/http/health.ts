import { sql } from 'kysely';
import type { Http } from './server.ts';

/** Monitors ask with HEAD, too; neither does anything. */
const probe = { schema: { hide: true }, exposeHeadRoute: true };

/** `/healthz`: the process answers. `/readyz`: it also reaches its database; 503 until then. */
export function mountHealth(http: Http): void {
  http.fastify.get('/healthz', probe, async () => ({ status: 'ok' }));
  http.fastify.get('/readyz', probe, async () => {
    await sql`select 1`.execute(http.context.db);
    return { status: 'ready' };
  });
}
