import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { livePath, liveTopics } from '#contract/live/live-rules.ts';

const RETRY_MS = 500;

/** Shared by all sockets: each has processed it before the next one is read. */
const chunk = Buffer.alloc(64 * 1024);

/** The last decoded message of any socket, so that a broadcast is decoded only once. */
let told = { frame: Buffer.alloc(0), text: '' };

/**
 * A socket subscribed to everything and read with so little work that thousands fit into one process. If it is rejected
 * under load it reconnects, as every client does; once accepted it must stay open.
 *
 * @param hear receives the beginning of each message, and the time when it was read
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
    // The shared buffer is about to be reused.
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
    setTimeout(openRawSocket, RETRY_MS, server, token, hear);
  });
}

export const isReadyText = (text: string): boolean => text.startsWith('{"type":"ready"');

/** Enough for the type of a message and, in price messages, the time. */
const HEAD = 100;

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** A complete frame at the start of `unread`; server frames are not masked. */
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

/** Client frames are masked. */
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
