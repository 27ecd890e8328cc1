import { type Outcome, tryForgeries } from '#test/audit-walk/walk.ts';
import { HOUR, playWalk } from '#test/audit-walk/walk-world.ts';
import { startCluster } from '#test/database/postgres-cluster.ts';
import { counted, print, runCommand } from './run-command.ts';

/**
 * `npm run audit:walk`: plays an auditor. Creates a PostgreSQL cluster with its roles and an hour of trades, and saves
 * the published heads. Then tries each forgery open to the server's role or the database owner on a fresh copy, and
 * prints what refused or detected it. Exit code 1: a forgery was neither refused nor detected.
 */
await runCommand(async () => {
  const cluster = await startCluster();
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
