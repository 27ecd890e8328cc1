import { checkDatabase } from '#server/db/outage.ts';
import { Refused } from '#server/refused.ts';
import type { Http } from './server.ts';

/** Monitors use HEAD, too. */
const probe = { schema: { hide: true }, exposeHeadRoute: true };

/** `/healthz`: the process responds. `/readyz`: its database also accepts writes and it is not stopping; else 503. */
export function mountHealth(http: Http): void {
  http.fastify.get('/healthz', probe, async () => ({ status: 'ok' }));
  http.fastify.get('/readyz', probe, async () => {
    if (http.isDraining()) throw new Refused('not_ready');
    await checkDatabase(http.context);
    return { status: 'ready' };
  });
}
