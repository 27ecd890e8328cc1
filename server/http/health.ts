import { checkDatabase } from '#server/db/outage.ts';
import type { Http } from './server.ts';

/** Monitors ask with HEAD, too. */
const probe = { schema: { hide: true }, exposeHeadRoute: true };

/** `/healthz`: the process answers. `/readyz`: its database also takes writes; 503 while it does not. */
export function mountHealth(http: Http): void {
  http.fastify.get('/healthz', probe, async () => ({ status: 'ok' }));
  http.fastify.get('/readyz', probe, async () => {
    await checkDatabase(http.context);
    return { status: 'ready' };
  });
}
