/** How the live socket is reached and what its closing means. Without schemas, so that browsers can read it, too. */

/** Where the socket is, on the origin of the pages. */
export const livePath = '/api/v1/live';

/** What a socket can be told of. `prices` and `session` are everybody's; the others are the member's own. */
export const liveTopics = ['balance', 'notification', 'prices', 'session', 'trade', 'ticket'] as const;
export type LiveTopic = (typeof liveTopics)[number];

export const liveHeartbeatMs = 20_000;
export const liveHandshakeMs = 5000;
/** Longer messages of a client close its socket. */
export const liveHandshakeBytes = 16_384;

/** Why the server closed the socket; also 1001 when it stops, 1009 for a message that is too long. */
export const liveCloses = {
  /** No first message in time, one that is not as above, or a second one. Do not come again with the same. */
  unreadable: 4400,
  /** The sign-in is unknown, ended, expired or was revoked. Sign in first. */
  signedOut: 4401,
  /** Operators do not listen here. */
  notAllowed: 4403,
  /** It did not read as fast as things happened. Come again at once with `since`. */
  tooSlow: 4408,
  /** The member has too many sockets. Come again when one is closed. */
  tooManyOfMember: 4429,
  /** This process has too many sockets. Come again a little later; poll until then. */
  full: 4503,
} as const;
