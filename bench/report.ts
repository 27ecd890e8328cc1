import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** One figure and its target: a minimum or maximum multiple of its reference; without a reference, absolute. */
export type Figure = {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  readonly reference?: { readonly what: string; readonly measured: number };
  /** The figure that is compared: a ratio to the reference, or the measured value itself. */
  readonly value: number;
  readonly bar: number;
  readonly aim: number;
  readonly atMost: boolean;
};

const isMet = (figure: Figure) => (figure.atMost ? figure.value <= figure.bar : figure.value >= figure.bar);

/** Prints the table, writes it to `bench/results/` with date, commit and machine, and returns whether every target is met. */
export function report(name: string, title: string, figures: readonly Figure[], remarks: readonly string[]): boolean {
  const table = [
    '| what | measured | reference | figure | must reach | aim | |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...figures.map(row),
  ];
  const text = [...table, '', ...remarks].join('\n');
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${name}.md`),
    `# ${title}\n\n${new Date().toISOString()} · ${findCommit()} · ${machine()}\n\n${text}\n`,
  );
  process.stdout.write(`${text}\n`);
  return figures.every(isMet);
}

function row(figure: Figure): string {
  const reference = figure.reference
    ? `${figure.reference.what}: ${format(figure.reference.measured)} ${figure.unit}`
    : '–';
  const compared = figure.reference ? `${figure.value.toFixed(2)} ×` : `${format(figure.value)} ${figure.unit}`;
  const bound = figure.atMost ? '≤' : '≥';
  return `| ${figure.what} | ${format(figure.measured)} ${figure.unit} | ${reference} | ${compared} | ${bound} ${figure.bar} | ${figure.aim} | ${isMet(figure) ? 'met' : 'MISSED'} |`;
}

const format = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;

function findCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'no commit';
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
