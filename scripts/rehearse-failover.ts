import { parseArgs } from 'node:util';
import { BadConfig } from '#server/config.ts';
import { findPrograms } from '#test/cluster/programs.ts';
import { type Outcome, type Rehearsal, rehearseFailover } from '#test/cluster/rehearse.ts';
import { atMost } from '../bench/measure.ts';
import { type Figure, median, report } from '../bench/report.ts';
import { print, runCommand } from './run-command.ts';

/** The longest allowed gap, in seconds, without an acknowledged trade, in the order of the rehearsal. */
const BARS = [
  { bar: 15, aim: 10 },
  { bar: 15, aim: 10 },
  { bar: 35, aim: 25 },
  { bar: 2, aim: 0.5 },
];

/**
 * `npm run rehearse:failover -- [--nodes 2|3]`: etcd, Patroni with two or three nodes, HAProxy, PgBouncer, two API
 * processes and two workers, all on this machine. Kills the primary under load and during a settlement, then its whole
 * node, and restarts every process; writes the measurements to bench/results/failover.md. Exit code 1: a target is
 * missed, or a program is not installed.
 */
await runCommand(async () => {
  const { values } = parseArgs({ options: { nodes: { type: 'string', default: '2' } } });
  const nodes = Number(values.nodes);
  if (nodes !== 2 && nodes !== 3) throw new BadConfig('--nodes is 2 or 3');
  const programs = findPrograms();
  if ('missing' in programs) {
    const packages = programs.missing.join(' ');
    throw new BadConfig(`Not installed: ${packages} (Debian: apt-get install ${packages})`);
  }
  const rehearsal = await rehearseFailover(programs, nodes, print);
  const isMet = report('failover', 'Failover', figuresOf(rehearsal), [
    `Patroni 3 (ttl 20, loop_wait 2, retry_timeout 5, primary_start_timeout 0, synchronous_mode_strict) with ${nodes} nodes, PgBouncer in transaction mode, HAProxy, two processes that answer requests and two workers, all on one machine; 16 members trade over HTTP, each with a socket, in sessions of five seconds.`,
    nodes === 2
      ? `After the node was killed a standby took its place within ${inSeconds(rehearsal.takeoverMs)}; the killed one was started again then, because two have to confirm a trade.`
      : `After the node was killed a standby took its place within ${inSeconds(rehearsal.takeoverMs)}; the killed one stayed away.`,
    '',
    ...rehearsal.outcomes.map(describe),
  ]);
  for (const fault of rehearsal.outcomes.flatMap(({ faults }) => faults)) print(fault);
  return isMet ? 0 : 1;
});

function figuresOf({ outcomes, rates }: Rehearsal): Figure[] {
  const [prepared, pooled] = [median(rates.prepared), median(rates.pooled)];
  return [
    ...outcomes.map(({ what, outageMs }, index) => {
      const { bar, aim } = BARS[index] as (typeof BARS)[number];
      return atMost(`${what}: longest time without an acknowledged trade`, outageMs / 1000, 's', bar, aim);
    }),
    none('acknowledged trades lost', 'trades', outcomes, ({ lost }) => lost),
    none('requests that failed while every process was restarted', 'requests', outcomes.slice(-1), countFailed),
    none(
      'discrepancies of the ledger, console pages that fail, faults in logs',
      'faults',
      outcomes,
      ({ faults }) => faults.length,
    ),
    {
      what: 'trades a second with DATABASE_PREPARED=off through PgBouncer',
      measured: pooled,
      unit: '/s',
      value: pooled / prepared,
      reference: { what: 'on, without PgBouncer', measured: prepared },
      bar: 0.6,
      aim: 0.8,
      atMost: false,
    },
  ];
}

function none(what: string, unit: string, outcomes: readonly Outcome[], countOf: (outcome: Outcome) => number): Figure {
  return atMost(what, sumOf(outcomes.map(countOf)), unit, 0, 0);
}

function countFailed({ failures }: Outcome): number {
  return sumOf(Object.values(failures));
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function describe({ what, acknowledged, failures, reopened }: Outcome): string {
  const failed = Object.entries(failures).map(([answer, count]) => `${count} × ${answer}`);
  return `- When ${what}: ${acknowledged} trades acknowledged, failed requests: ${failed.join(', ') || 'none'}; sockets opened again: ${reopened}.`;
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
