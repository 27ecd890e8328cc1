import { readFileSync } from 'node:fs';
import { isReadyText, openRawSocket } from '#test/kit/raw-socket.ts';

/** A program: `<origin> <file of tokens>`. Prints `ready` when each has a socket; exits when its input ends. */
export const holderFile = import.meta.filename;

/** Connections that may await acceptance at the same time. */
const CONCURRENCY = 50;

function run([origin = '', file = '']: readonly string[]): void {
  const server = new URL(origin);
  const tokens = JSON.parse(readFileSync(file, 'utf8')) as string[];
  let opened = 0;
  let ready = 0;
  const openNext = () => {
    const token = tokens[opened];
    opened += 1;
    if (token !== undefined) openRawSocket(server, token, hear);
  };
  const hear = (text: string) => {
    if (!isReadyText(text)) return;
    ready += 1;
    if (ready === tokens.length) process.stdout.write('ready\n');
    openNext();
  };
  for (let n = 0; n < CONCURRENCY; n += 1) openNext();
  process.stdin.on('end', () => process.exit(0)).resume();
}

if (import.meta.main) run(process.argv.slice(2));
