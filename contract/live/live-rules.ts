/** Path, topics and close codes of the live socket. No schemas in this file, so that browsers can load it. */

/** On the same origin as the pages. */
export const livePath = '/api/v1/live';

/** Topics a socket can subscribe to. `prices` and `session` are public; the others are the member's own. */
export const liveTopics = ['balance', 'notification', 'prices', 'session', 'trade', 'ticket'] as const;
export type LiveTopic = (typeof liveTopics)[number];

export const liveHeartbeatMs = 20_000;
export const liveHandshakeMs = 5000;
/** A longer client message closes the socket. */
export const liveHandshakeBytes = 16_384;

/** Why the server closed the socket; it also uses 1001 when it stops and 1009 for a message that is too long. */
export const liveCloses = {
  /** No handshake in time, an invalid one, or a second message. Do not retry with the same message. */
  unreadable: 4400,
  /** The session is unknown, ended, expired or revoked. Sign in first. */
  signedOut: 4401,
  /** Operators cannot subscribe. */
  notAllowed: 4403,
  /** The client reads more slowly than events occur. Reconnect at once with `since`. */
  tooSlow: 4408,
  /** The member has too many sockets. Reconnect once one is closed. */
  tooManyOfMember: 4429,
  /** This process has too many sockets. Poll, and reconnect later. */
  full: 4503,
} as const;
