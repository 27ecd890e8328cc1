import assert from 'node:assert';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#server/caller.ts';
import { Refused } from '#server/refused.ts';

export const BODY_LIMIT_BYTES = 64 * 1024;
/** Three files of 5 MB in base64, and their message. */
export const LARGE_BODY_LIMIT_BYTES = 24 * 1024 * 1024;
const MAX_CONCURRENT = 4;
const RETRY_SECONDS = 2;

/** Admits a large body, or refuses it before reading any of it. Its slot is released after the reply. */
export type LargeBodies = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * A body is buffered while it is read and checked, and takes several times its size in memory. At most four at once
 * bound the memory of a process, and one per caller keeps a slow client from occupying all slots. Bodies within the
 * normal limit need no slot.
 *
 * Refuses `not_ready` with a Retry-After.
 */
export function openLargeBodies(): LargeBodies {
  const sending = new Set<string>();
  return (request, reply) => {
    if (isSmall(request)) return;
    const sender = nameOf(request.caller);
    const hasSlot = sending.size < MAX_CONCURRENT && !sending.has(sender);
    if (!hasSlot) throw new Refused('not_ready', { retryAfterSeconds: RETRY_SECONDS });
    sending.add(sender);
    // Also if the client disconnects.
    reply.raw.once('close', () => sending.delete(sender));
  };
}

/** Only a declared length is enforced: a chunked body can have any length. */
const isSmall = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= BODY_LIMIT_BYTES;

function nameOf(caller: Caller | undefined): string {
  assert(caller !== undefined, 'public calls take no large bodies');
  return caller.kind === 'member' ? `member:${caller.memberId}` : `operator:${caller.operatorId}`;
}
