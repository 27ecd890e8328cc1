import { sql } from 'kysely';
import type { Http } from './server.ts';

/** `/healthz`: the process answers. `/readyz`: it also reaches its database; 503 until then. */
export function mountHealth(http: Http): void {
  http.fastify.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  http.fastify.get('/readyz', { schema: { hide: true } }, async () => {
    await sql`select 1`.execute(http.context.db);
    return { status: 'ready' };
  });
}
