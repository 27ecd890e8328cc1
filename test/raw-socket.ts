import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { livePath, liveTopics } from '#contract/live/live-rules.ts';

const AGAIN_MS = 500;

/** What all sockets are read into: each is done with it before the next one is read. */
const chunk = Buffer.alloc(64 * 1024);

/** The message that was taken apart last, of whichever socket: what is told to everybody is not taken apart again. */
let told = { frame: Buffer.alloc(0), text: '' };

/**
 * A socket that listens to everything and is read with as little work as possible: thousands fit into one process. Who is
 * turned away in the rush comes again, as every client does; who was let in must stay.
 *
 * @param hear the beginning of each message, and when it was read
 */
export function openRawSocket(server: URL, token: string, hear: (text: string, at: number) => void): void {
  const { hostname, port } = server;
  let unread: Buffer = Buffer.alloc(0);
  let isUpgraded = false;
  let isReady = false;
  const callback = (length: number) => {
    const at = performance.timeOrigin + performance.now();
    const isTold =
      isUpgraded && unread.length === 0 && chunk.compare(told.frame, 0, told.frame.length, 0, length) === 0;
    if (isTold) hearText(told.text, at);
    else read(chunk.subarray(0, length), at);
    return true;
  };
  const socket = connect({ port: Number(port), host: hostname, noDelay: true, onread: { buffer: chunk, callback } });
  socket.write(
    `GET ${livePath} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  function read(bytes: Buffer, at: number): void {
    unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes]);
    if (!isUpgraded) {
      const end = unread.indexOf('\r\n\r\n');
      if (end >= 0) upgrade(end);
    }
    for (let next = isUpgraded ? readFrame(unread) : undefined; next !== undefined; next = readFrame(unread)) {
      const whole = unread.subarray(0, next.end);
      unread = unread.subarray(next.end);
      if (next.opcode === PING) socket.write(frame(PONG, next.body));
      if (next.opcode === CLOSE) throw new Error(`closed with ${next.body.readUInt16BE(0)}`);
      if (next.opcode === TEXT) {
        const text = next.body.toString('latin1', 0, HEAD);
        told = { frame: Buffer.from(whole), text };
        hearText(text, at);
      }
    }
    // The buffer is the next one's.
    if (unread.length > 0) unread = Buffer.from(unread);
  }
  function hearText(text: string, at: number): void {
    isReady ||= isReadyText(text);
    hear(text, at);
  }
  function upgrade(end: number): void {
    if (!unread.toString('latin1', 0, 12).endsWith('101')) throw new Error(unread.toString('latin1', 0, end));
    unread = unread.subarray(end + 4);
    isUpgraded = true;
    socket.write(frame(TEXT, Buffer.from(JSON.stringify({ token, topics: liveTopics }))));
  }
  socket.on('error', (error) => {
    if (isReady) throw error;
    setTimeout(openRawSocket, AGAIN_MS, server, token, hear);
  });
}

export const isReadyText = (text: string): boolean => text.startsWith('{"type":"ready"');

/** Of a message: its type, and of prices their time. */
const HEAD = 100;

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** One whole frame from the beginning of what is unread; those of a server are not masked. */
function readFrame(unread: Buffer): { opcode: number; body: Buffer; end: number } | undefined {
  if (unread.length < 2) return undefined;
  const short = unread.readUInt8(1);
  const begin = short === 126 ? 4 : 2;
  if (short === 127) throw new Error('a frame of more than 64 kB');
  if (unread.length < begin) return undefined;
  const end = begin + (short === 126 ? unread.readUInt16BE(2) : short);
  if (unread.length < end) return undefined;
  return { opcode: unread.readUInt8(0) & 15, body: unread.subarray(begin, end), end };
}

/** Masked, as those of a client are. */
function frame(opcode: number, body: Buffer): Buffer {
  const mask = randomBytes(4);
  const masked = body.map((byte, index) => byte ^ (mask[index & 3] as number));
  const head = body.length < 126 ? Buffer.from([0x80 | opcode, 0x80 | body.length]) : Buffer.alloc(4);
  if (body.length >= 126) {
    head.set([0x80 | opcode, 0x80 | 126]);
    head.writeUInt16BE(body.length, 2);
  }
  return Buffer.concat([head, mask, masked]);
}
