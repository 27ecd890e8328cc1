import type { LiveHandshake, LiveMessage } from '#contract/live/live.ts';
import { liveCloses, liveHeartbeatMs, livePath, liveTopics } from '#contract/live/live-rules.ts';

/** Two missed heartbeats: the connection is dead. */
const SILENCE_MS = 2 * liveHeartbeatMs + 5_000;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A full server will not have room a second later. */
const NO_PLACE_MS = 60_000;
/** A connection that lasted this long was healthy: the backoff starts over after it. */
const GOOD_MS = 30_000;

export type LiveListener = {
  /** The server streams events from here on; if resumed, it first sends the missed ones. */
  onReady: (isResumed: boolean) => void;
  onMessage: (message: LiveMessage) => void;
  /** The stream is interrupted until it is ready again. */
  onGone: () => void;
  /** The server rejected the sign-in; there are no more attempts. */
  onSignedOut: () => void;
};

/**
 * One live connection to the server for as long as it is wanted: it reconnects with exponential backoff and jitter, and
 * resumes where it stopped.
 *
 * @returns closes it; the listener is not called afterwards
 */
export function openLive(token: string, listener: LiveListener): () => void {
  let socket: WebSocket | undefined;
  let position: string | undefined;
  let isReady = false;
  let fallenShort = 0;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let good: ReturnType<typeof setTimeout> | undefined;
  // Deferred: mounting twice in a row opens one socket and closes none that is still connecting.
  let next: ReturnType<typeof setTimeout> | undefined = setTimeout(connect, 0);

  function connect() {
    next = undefined;
    socket = new WebSocket(address());
    socket.onopen = () => {
      const hello: LiveHandshake = {
        token,
        topics: [...liveTopics],
        ...(position === undefined ? {} : { since: position }),
      };
      socket?.send(JSON.stringify(hello));
    };
    socket.onmessage = ({ data }) => hear(JSON.parse(data) as LiveMessage);
    socket.onclose = ({ code }) => comeAgain(code);
    waitForWords();
  }

  function hear(message: LiveMessage) {
    waitForWords();
    if (message.type === 'ready') {
      isReady = true;
      listener.onReady(position !== undefined);
      good = setTimeout(() => {
        fallenShort = 0;
      }, GOOD_MS);
    }
    if ('position' in message) position = message.position;
    listener.onMessage(message);
  }

  function waitForWords() {
    clearTimeout(silence);
    silence = setTimeout(() => comeAgain(undefined), SILENCE_MS);
  }

  function comeAgain(code: number | undefined) {
    leave();
    if (code === liveCloses.signedOut) return listener.onSignedOut();
    if (code === liveCloses.unreadable || code === liveCloses.notAllowed) return;
    next = setTimeout(connect, pauseMs(code, fallenShort));
    fallenShort += 1;
  }

  /** Ignores everything the socket may still send. */
  function leave() {
    clearTimeout(silence);
    clearTimeout(good);
    if (socket !== undefined) {
      socket.onopen = null;
      socket.onmessage = null;
      socket.onclose = null;
      socket.close();
      socket = undefined;
    }
    if (!isReady) return;
    isReady = false;
    listener.onGone();
  }

  /** When there is reason to hope, the pause is cut short. */
  function hurry() {
    if (next === undefined || document.visibilityState === 'hidden') return;
    clearTimeout(next);
    connect();
  }

  window.addEventListener('online', hurry);
  document.addEventListener('visibilitychange', hurry);
  return () => {
    window.removeEventListener('online', hurry);
    document.removeEventListener('visibilitychange', hurry);
    clearTimeout(next);
    next = undefined;
    leave();
  };
}

function address(): URL {
  const url = new URL(livePath, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/** The longest pause, less up to half of it, so that clients do not reconnect in step. */
function pauseMs(code: number | undefined, fallenShort: number): number {
  // The server requested an immediate reconnect; not repeatedly.
  if (code === liveCloses.tooSlow && fallenShort === 0) return 0;
  const hasNoPlace = code === liveCloses.tooManyOfMember || code === liveCloses.full;
  const longest = hasNoPlace ? NO_PLACE_MS : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** fallenShort);
  return longest * (1 - Math.random() / 2);
}
