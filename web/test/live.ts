import { vi } from 'vitest';
import type { LiveHandshake, LiveMessage } from '#contract/live/live.ts';

/** A fake socket; the test plays the server. */
class FakeSocket {
  readonly url: string;
  /** The messages sent by the client. */
  readonly said: LiveHandshake[] = [];
  isClosed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(url: string | URL) {
    this.url = String(url);
    opened.push(this);
  }

  send(text: string): void {
    this.said.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }

  /** The server accepts the connection. */
  open(): void {
    this.onopen?.();
  }

  receive(message: LiveMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The server is ready. */
  begin(position = '1'): void {
    this.open();
    this.receive({ type: 'ready', position });
  }

  /** The server, or the network, closes it. */
  end(code = 1006): void {
    this.isClosed = true;
    this.onclose?.({ code });
  }
}

let opened: FakeSocket[] = [];

/** All sockets opened so far, newest last. */
export function stubSockets(): FakeSocket[] {
  opened = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  return opened;
}
