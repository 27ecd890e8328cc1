import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A static file: not limited, because it is cheap and a page loads over a hundred. */
    isFile?: true;
  }
}

const MAX_CALLERS = 10_000;
const IPV6_SUBNET = 64;

/**
 * Counts requests per address before any look-up, so that unknown tokens and forbidden calls count, too. A token that
 * this process has seen as valid has its own count, so a signed-in client is not affected by others behind the same
 * address, as in an office or behind a carrier.
 *
 * @param perMinute limit of one address, or one known token, in this process; calls that check a secret have a stricter
 * limit (`isSecretCheck` in mount.ts), which is per address with any token
 * @returns a function to call with each valid token
 */
export async function limitRates(app: FastifyInstance, perMinute: number): Promise<(token: string) => void> {
  const known = new Set<string>();
  await app.register(rateLimit, {
    global: false,
    max: perMinute,
    timeWindow: '1 minute',
    keyGenerator: (request) => {
      const token = bearer(request);
      const isCountedApart = request.routeOptions.config.rateLimit === undefined && known.has(token);
      return isCountedApart ? token : rateLimit.normalizeIP(request.ip, IPV6_SUBNET);
    },
    errorResponseBuilder: () => Object.assign(new Error('rate limit'), { statusCode: 429 }),
  });
  const count = app.rateLimit();
  app.addHook('onRequest', async function countRequest(request, reply) {
    const { isFile, rateLimit: ownLimit } = request.routeOptions.config;
    if (!isFile && !ownLimit) await count.call(this, request, reply);
  });
  return (token) => {
    // Deleted first, so that the set is in order of use and its first entry is the oldest.
    known.delete(token);
    if (known.size >= MAX_CALLERS) known.delete(known.values().next().value as string);
    known.add(token);
  };
}

/** The token of a request; empty if missing or malformed. */
export function bearer({ headers }: FastifyRequest): string {
  return /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(headers.authorization ?? '')?.[1] ?? '';
}
