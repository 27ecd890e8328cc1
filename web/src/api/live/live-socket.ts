import type { LiveHandshake, LiveMessage } from '#contract/live/live.ts';
import { liveCloses, liveHeartbeatMs, livePath, liveTopics } from '#contract/live/live-rules.ts';

/** Two beats that did not come: the line is dead, whoever closed it or nobody. */
const SILENCE_MS = 2 * liveHeartbeatMs + 5_000;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Where there is no place now there will be none in a second. */
const NO_PLACE_MS = 60_000;
/** A connection that stood for so long was a good one: after it the pauses begin from the first again. */
const GOOD_MS = 30_000;

export type LiveListener = {
  /** The server tells what happens from here on; resumed, it first tells what happened meanwhile. */
  onReady: (isResumed: boolean) => void;
  onMessage: (message: LiveMessage) => void;
  /** Nothing is told any more, until it is ready again. */
  onGone: () => void;
  /** The server does not know the sign-in any more, and is not asked again. */
  onSignedOut: () => void;
};

/**
 * One connection to the server that tells what happens, for as long as it is wanted: one that breaks is made again, after
 * pauses that grow and are never the same for all, and goes on where it was.
 *
 * @returns ends it; nothing is told afterwards
 */
export function openLive(token: string, listener: LiveListener): () => void {
  let socket: WebSocket | undefined;
  let position: string | undefined;
  let isReady = false;
  let fallenShort = 0;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let good: ReturnType<typeof setTimeout> | undefined;
  // Not at once: what is mounted twice in a row opens one socket, and closes none that is still opening.
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

  /** Whatever the socket still says is heard by nobody. */
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

  /** Where there is a reason to hope, nobody waits for the end of the pause. */
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

/** The longest it takes to come again, less up to a half, so that not everybody comes at once. */
function pauseMs(code: number | undefined, fallenShort: number): number {
  // It is the server that asks to come again at once; not time after time.
  if (code === liveCloses.tooSlow && fallenShort === 0) return 0;
  const hasNoPlace = code === liveCloses.tooManyOfMember || code === liveCloses.full;
  const longest = hasNoPlace ? NO_PLACE_MS : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** fallenShort);
  return longest * (1 - Math.random() / 2);
}
