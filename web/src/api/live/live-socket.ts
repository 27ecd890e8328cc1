import type { LiveHandshake, LiveMessage } from '#contract/live/live.ts';
import { liveCloses, liveHeartbeatMs, livePath, liveTopics } from '#contract/live/live-rules.ts';

/** Two missed heartbeats: the connection is dead. */
const SILENCE_MS = 2 * liveHeartbeatMs + 5_000;

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** A full server will not have room a second later. */
const FULL_PAUSE_MS = 60_000;
/** A connection that lasted this long was healthy: the backoff starts over after it. */
const HEALTHY_MS = 30_000;

export type LiveListener = {
  /** The server streams events from here on; if resumed, it first sends the missed ones. */
  onReady: (isResumed: boolean) => void;
  onMessage: (message: LiveMessage) => void;
  /** The stream is interrupted until it is ready again. */
  onDisconnected: () => void;
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
  let failures = 0;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let healthyTimer: ReturnType<typeof setTimeout> | undefined;
  // Deferred: mounting twice in a row opens one socket and closes none that is still connecting.
  let next: ReturnType<typeof setTimeout> | undefined = setTimeout(connect, 0);

  function connect() {
    next = undefined;
    socket = new WebSocket(address());
    socket.onopen = () => {
      const handshake: LiveHandshake = {
        token,
        topics: [...liveTopics],
        ...(position === undefined ? {} : { since: position }),
      };
      socket?.send(JSON.stringify(handshake));
    };
    socket.onmessage = ({ data }) => receive(JSON.parse(data) as LiveMessage);
    socket.onclose = ({ code }) => reconnectLater(code);
    resetSilenceTimer();
  }

  function receive(message: LiveMessage) {
    resetSilenceTimer();
    if (message.type === 'ready') {
      isReady = true;
      listener.onReady(position !== undefined);
      healthyTimer = setTimeout(() => {
        failures = 0;
      }, HEALTHY_MS);
    }
    if ('position' in message) position = message.position;
    listener.onMessage(message);
  }

  function resetSilenceTimer() {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => reconnectLater(undefined), SILENCE_MS);
  }

  function reconnectLater(code: number | undefined) {
    disconnect();
    if (code === liveCloses.signedOut) return listener.onSignedOut();
    if (code === liveCloses.unreadable || code === liveCloses.notAllowed) return;
    next = setTimeout(connect, pauseMs(code, failures));
    failures += 1;
  }

  /** Ignores everything the socket may still send. */
  function disconnect() {
    clearTimeout(silenceTimer);
    clearTimeout(healthyTimer);
    if (socket !== undefined) {
      socket.onopen = null;
      socket.onmessage = null;
      socket.onclose = null;
      socket.close();
      socket = undefined;
    }
    if (!isReady) return;
    isReady = false;
    listener.onDisconnected();
  }

  /** When there is reason to hope, the pause is cut short. */
  function reconnectNow() {
    if (next === undefined || document.visibilityState === 'hidden') return;
    clearTimeout(next);
    connect();
  }

  window.addEventListener('online', reconnectNow);
  document.addEventListener('visibilitychange', reconnectNow);
  return () => {
    window.removeEventListener('online', reconnectNow);
    document.removeEventListener('visibilitychange', reconnectNow);
    clearTimeout(next);
    next = undefined;
    disconnect();
  };
}

function address(): URL {
  const url = new URL(livePath, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/** The pause before a reconnect, less up to half of it, so that clients do not reconnect in step. */
function pauseMs(code: number | undefined, failures: number): number {
  // The server requested an immediate reconnect; not repeatedly.
  if (code === liveCloses.tooSlow && failures === 0) return 0;
  const isFull = code === liveCloses.tooManyOfMember || code === liveCloses.full;
  const pause = isFull ? FULL_PAUSE_MS : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
  return pause * (1 - Math.random() / 2);
}
