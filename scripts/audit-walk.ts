import { BadConfig } from '#server/config.ts';
import { type Outcome, tryForgeries } from '#test/audit-walk/walk.ts';
import { HOUR, playWalk } from '#test/audit-walk/walk-world.ts';
import { findPostgresPrograms, startCluster } from '#test/postgres-cluster.ts';
import { counted, print, runCommand } from './run-command.ts';

/**
 * `npm run audit:walk`: what an auditor tries. A new PostgreSQL with its roles, an hour of trades, published heads kept aside;
 * then each forgery of the server's role and of the database's owner on a copy of its own, with what refused or found it.
 * Exit code 1: one was neither refused nor found.
 */
await runCommand(async () => {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new BadConfig('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const cluster = await startCluster(programs);
  try {
    const world = await playWalk(cluster, 'walk', HOUR);
    print(
      `${counted(world.trades, 'trade', 'trades')} in an hour of the session, ${counted(world.seals, 'seal', 'seals')}; heads kept ${counted(world.kept.length, 'time', 'times')}.`,
    );
    const { before, outcomes, beyond } = await tryForgeries(cluster, world, (outcome) => print(lineOf(outcome)));
    world.close();
    const missed = outcomes.filter(({ result }) => result === 'missed');
    print(
      before.length === 0 ? 'Before any forgery: no discrepancies.' : `Before any forgery: ${before.join('; ')}`,
      `Beyond what is claimed: the owner ${beyond.name}: ${beyond.result === 'missed' ? 'not found' : beyond.by}.`,
      `${counted(outcomes.length, 'forgery', 'forgeries')}: ${count(outcomes, 'refused')} refused, ${count(outcomes, 'found')} found, ${missed.length} missed.`,
    );
    return before.length + missed.length === 0 ? 0 : 1;
  } finally {
    await cluster.stop();
  }
});

function count(outcomes: readonly Outcome[], result: Outcome['result']): number {
  return outcomes.filter((outcome) => outcome.result === result).length;
}

function lineOf({ forger, name, result, by }: Outcome): string {
  return `${result.padEnd(7)}  ${forger.padEnd(9)}  ${name}: ${by}`;
}
