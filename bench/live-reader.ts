import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { isReadyText, openRawSocket } from '#test/kit/raw-socket.ts';

/** Started by the benchmark: `<origin> <file of tokens> <seconds>`. */
export const readerFile = import.meta.filename;

/** Sockets connect over some seconds, as clients do after a restart. */
const CONCURRENCY = 100;

/** When each frame of prices arrived at each socket, by the market time it shows. */
const arrivals: Record<string, number[]> = {};
/** The arrivals of the newest frame. */
let newest: { readonly text: string; readonly at: number[] } = { text: '', at: [] };
let ready = 0;

/** Reads many sockets for some seconds with as little work as possible, and writes the arrival times. */
async function run([origin = '', file = '', seconds = '']: readonly string[]): Promise<void> {
  const server = new URL(origin);
  const tokens = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const begun = performance.now();
  for (let first = 0; first < tokens.length; first += CONCURRENCY) {
    for (const token of tokens.slice(first, first + CONCURRENCY)) openRawSocket(server, token, hear);
    await wait(50);
  }
  while (ready < tokens.length) await wait(10);
  const readyMs = performance.now() - begun;
  for (const time of Object.keys(arrivals)) delete arrivals[time];
  newest = { text: '', at: [] };
  const before = performance.eventLoopUtilization();
  await wait(Number(seconds) * 1000);
  const { utilization } = performance.eventLoopUtilization(before);
  process.stdout.write(JSON.stringify({ arrivals, readyMs, utilization }), () => process.exit(0));
}

function hear(text: string, at: number): void {
  if (isReadyText(text)) ready += 1;
  if (!text.startsWith('{"type":"prices"')) return;
  if (text !== newest.text) newest = { text, at: arrivalsOf(text) };
  newest.at.push(at);
}

function arrivalsOf(text: string): number[] {
  const time = /"market_time":"([^"]+)"/.exec(text)?.[1] ?? '';
  arrivals[time] ??= [];
  return arrivals[time];
}

if (import.meta.main) await run(process.argv.slice(2));
