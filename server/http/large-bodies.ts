import assert from 'node:assert';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#server/caller.ts';
import { Refused } from '#server/refused.ts';

export const BODY_LIMIT_BYTES = 64 * 1024;
/** Three files of 5 MB in base64, and the message with them. */
export const LARGE_BODY_LIMIT_BYTES = 24 * 1024 * 1024;
const MOST_AT_ONCE = 4;
const RETRY_SECONDS = 2;

/** Lets a large body in, or refuses it before a byte of it is read; its place is free again when its reply is out. */
export type LargeBodies = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * A body is held whole while it is read and checked, and takes several times its size meanwhile: at most four at once
 * keep the memory of a process bounded, and one a caller keeps a slow or greedy one from taking all four places.
 * Bodies that fit into the limit of every other call need no place.
 *
 * Refuses `not_ready` and says when to come again.
 */
export function openLargeBodies(): LargeBodies {
  const sending = new Set<string>();
  return (request, reply) => {
    if (isSmall(request)) return;
    const sender = nameOf(request.caller);
    const hasPlace = sending.size < MOST_AT_ONCE && !sending.has(sender);
    if (!hasPlace) throw new Refused('not_ready', { retryAfterSeconds: RETRY_SECONDS });
    sending.add(sender);
    // Also when the sender goes away in the middle.
    reply.raw.once('close', () => sending.delete(sender));
  };
}

/** Only a length that was said can be trusted to be kept: a body sent in chunks may come to any. */
const isSmall = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= BODY_LIMIT_BYTES;

function nameOf(caller: Caller | undefined): string {
  assert(caller !== undefined, 'a call for strangers takes no large body');
  return caller.kind === 'member' ? `member:${caller.memberId}` : `operator:${caller.operatorId}`;
}
