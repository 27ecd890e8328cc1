import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { livePath, liveTopics } from '#contract/live/live-rules.ts';

/** What the benchmark starts: `<origin> <file of tokens> <seconds>`. */
export const readerFile = import.meta.filename;

/** Not all in the same moment, as after a restart clients come in some seconds, too. */
const AT_ONCE = 100;
const AGAIN_MS = 500;

/** When each frame of prices arrived at each socket, by the market time it shows. */
const arrivals: Record<string, number[]> = {};
let ready = 0;

/** Reads many sockets for some seconds with as little work as possible, and writes what arrived when. */
async function run([origin = '', file = '', seconds = '']: readonly string[]): Promise<void> {
  const server = new URL(origin);
  const tokens = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const begun = performance.now();
  for (let first = 0; first < tokens.length; first += AT_ONCE) {
    for (const token of tokens.slice(first, first + AT_ONCE)) open(server, token);
    await wait(50);
  }
  while (ready < tokens.length) await wait(10);
  const readyMs = performance.now() - begun;
  for (const time of Object.keys(arrivals)) delete arrivals[time];
  await wait(Number(seconds) * 1000);
  process.stdout.write(JSON.stringify({ arrivals, readyMs }), () => process.exit(0));
}

/** What all sockets are read into: each is done with it before the next one is read. */
const chunk = Buffer.alloc(64 * 1024);

function open(server: URL, token: string): void {
  const { hostname, port } = server;
  let unread: Buffer = Buffer.alloc(0);
  let isUpgraded = false;
  let isReady = false;
  const callback = (length: number) => {
    read(chunk.subarray(0, length), performance.timeOrigin + performance.now());
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
      unread = unread.subarray(next.end);
      if (next.opcode === PING) socket.write(frame(PONG, next.body));
      if (next.opcode === CLOSE) throw new Error(`closed with ${next.body.readUInt16BE(0)}`);
      if (next.opcode === TEXT) {
        const text = next.body.toString('latin1', 0, HEAD);
        hear(text, at);
        isReady ||= text.startsWith('{"type":"ready"');
      }
    }
    // The buffer is the next one's.
    if (unread.length > 0) unread = Buffer.from(unread);
  }
  function upgrade(end: number): void {
    if (!unread.toString('latin1', 0, 12).endsWith('101')) throw new Error(unread.toString('latin1', 0, end));
    unread = unread.subarray(end + 4);
    isUpgraded = true;
    socket.write(frame(TEXT, Buffer.from(JSON.stringify({ token, topics: liveTopics }))));
  }
  // Who is turned away in the rush comes again, as every client does; who was let in must stay.
  socket.on('error', (error) => {
    if (isReady) throw error;
    setTimeout(open, AGAIN_MS, server, token);
  });
}

/** Of a message: its type, and of prices their time. */
const HEAD = 100;

function hear(text: string, at: number): void {
  if (text.startsWith('{"type":"ready"')) ready += 1;
  if (!text.startsWith('{"type":"prices"')) return;
  const time = /"market_time":"([^"]+)"/.exec(text)?.[1] ?? '';
  arrivals[time] ??= [];
  arrivals[time].push(at);
}

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

if (import.meta.main) await run(process.argv.slice(2));
