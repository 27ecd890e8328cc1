import { Agent, request } from 'node:http';
import type { Sent } from './requests.ts';

export type Answer = {
  /** 0 on a timeout. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

const PATIENCE_MS = 10_000;

/** Sends requests sequentially over one connection. */
export function openSender(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = ({ method, path, headers, body }: Sent, token: string | undefined): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(`${origin}/`, {
        agent,
        method,
        path,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-length': String(body.length) }),
          ...headers,
        },
      });
      const late = setTimeout(() => {
        resolve({ status: 0, headers: {}, text: '' });
        sent.destroy();
      }, PATIENCE_MS);
      sent.on('response', (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('close', () => {
          clearTimeout(late);
          if (!reply.complete) return reject(new Error('the answer was cut'));
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(chunks).toString() });
        });
      });
      sent.on('error', (error) => {
        clearTimeout(late);
        reject(error);
      });
      sent.end(body);
    });
  return { send, close: () => agent.destroy() };
}

const MAX_SHOWN = 2000;

/** The request as a curl command, to be run with the token of a caller of this kind. */
export function writeCurl({ method, path, headers, body }: Sent, caller: string): string {
  const own = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const token = caller === 'stranger' ? [] : [`-H "authorization: Bearer $${caller.toUpperCase()}_TOKEN"`];
  const data = body === undefined ? [] : [`--data-binary ${quote(body.toString())}`];
  return [
    'curl',
    '-sS',
    '--path-as-is',
    '-X',
    method,
    quote(`http://127.0.0.1:8080${path}`),
    ...token,
    ...own,
    ...data,
  ].join(' ');
}

function quote(text: string): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
  const isPlain = /^[\x20-\x7e]*$/.test(shown);
  if (isPlain) return `'${shown.replaceAll("'", `'\\''`)}'`;
  const bytes = [...Buffer.from(shown)].map((byte) =>
    byte > 0x1f && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `$'${bytes.join('')}'`;
}
