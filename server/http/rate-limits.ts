import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A file of the build: it costs next to nothing, and one page asks for over a hundred of them. */
    isFile?: true;
  }
}

const MOST_CALLERS = 10_000;
const IPV6_SUBNET = 64;

/**
 * Counts requests before anything is looked up for them, so that unknown tokens and forbidden calls count as well. They
 * count for the address they come from. A token that was known here before has a count of its own: who shares an address
 * with somebody who floods, in an office or behind a carrier, goes on.
 *
 * @param perMinute of one address, or one known token, in this process; calls that check a secret have their own,
 * stricter limit (`isSecretCheck` in mount.ts), which is of the address whatever token they carry
 * @returns to be told of each token that was found
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
    // Taken out first, so that the first of the set is the one not seen for longest.
    known.delete(token);
    if (known.size >= MOST_CALLERS) known.delete(known.values().next().value as string);
    known.add(token);
  };
}

/** The token a request carries; empty for none, or for what cannot be one. */
export function bearer({ headers }: FastifyRequest): string {
  return /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(headers.authorization ?? '')?.[1] ?? '';
}
