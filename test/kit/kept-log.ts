import { Writable } from 'node:stream';
import { pino } from 'pino';

/** A log that stores its lines, for tests of what must never be logged. */
export function savedLog() {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, log: pino({ level: 'trace' }, sink) };
}
