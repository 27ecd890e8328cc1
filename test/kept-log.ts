import { Writable } from 'node:stream';
import { pino } from 'pino';

/** A log whose lines are kept, for tests of what is never logged. */
export function keptLog() {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, log: pino({ level: 'trace' }, sink) };
}
