import { parseArgs } from 'node:util';
import { BadConfig } from '#server/config.ts';
import { type Cluster, startCluster } from '#test/database/postgres-cluster.ts';
import { runCommand } from '../../scripts/run-command.ts';
import { killInsideBatch } from './batch-kill.ts';
import { stormChecks } from './check-storm.ts';
import { killDatabase } from './database-kill.ts';
import { type KillReport, killInside } from './kill-rounds.ts';
import { killInsidePayout, payoutSteps } from './payout-kill.ts';
import { phaseNames } from './phases.ts';
import { stormWebhooks } from './webhook-storm.ts';
import { rushInRounds } from './withdrawal-rounds.ts';

const KILLS = 20;
const RUSH_ROUNDS = 100;
/** About 10 000 deliveries, at five of each event. */
const STORMED_DEPOSITS = 480;
const KILLS_IN_STORM = 6;
const STORM_SECONDS = 300;

type Outcome = {
  readonly said: string;
  readonly faults: readonly string[];
  /** False if fewer kills happened than requested. */
  readonly isWhole: boolean;
};

type FaultRun = (cluster: Cluster, count: number | undefined) => Promise<Outcome>;

/** `times` multiplies the count for a run with several steps. */
const killing =
  (kill: (cluster: Cluster, kills: number) => Promise<KillReport>, times = 1): FaultRun =>
  async (cluster, count = KILLS) => {
    const { kills, rounds, faults } = await kill(cluster, count * times);
    return { said: `killed ${kills} times in ${rounds} rounds`, faults, isWhole: kills >= count * times };
  };

const rushing: FaultRun = async (cluster, count = RUSH_ROUNDS) => {
  const { rounds, attempts, faults } = await rushInRounds(cluster, count);
  return { said: `${attempts} attempts in ${rounds} rounds`, faults, isWhole: true };
};

const storming: FaultRun = async (cluster, count = STORMED_DEPOSITS) => {
  const report = await stormWebhooks(cluster, { deposits: count, kills: KILLS_IN_STORM });
  const { deposits, deliveries, intruders, again, kills, faults } = report;
  const said = `${deliveries} deliveries for ${deposits} deposits, ${intruders} intruders, killed ${kills} times, ${again} tries again`;
  return { said, faults, isWhole: true };
};

/** The count is in seconds. */
const checking: FaultRun = async (cluster, count = STORM_SECONDS) => {
  const { checks, seals, trades, faults } = await stormChecks(cluster, count);
  return { said: `${checks} checks during ${seals} seals and ${trades} trades`, faults, isWhole: true };
};

/** Runs on its own cluster. */
const killingDatabase: FaultRun = async (_cluster, count = KILLS) => {
  const { kills, trades, refused, faults } = await killDatabase(count);
  return { said: `killed ${kills} times under ${trades} trades, ${refused} refused`, faults, isWhole: kills >= count };
};

const faultRuns: readonly [name: string, run: FaultRun][] = [
  ...phaseNames.map((phase): [string, FaultRun] => [
    phase,
    killing((cluster, kills) => killInside(cluster, [phase], kills)),
  ]),
  ['batch', killing(killInsideBatch)],
  ['database', killingDatabase],
  ['webhooks', storming],
  ['withdrawals', rushing],
  ['checks', checking],
  // The count is per step.
  ...(['btcpay', 'nowpayments'] as const).map((gateway): [string, FaultRun] => [
    gateway,
    killing((cluster, kills) => killInsidePayout(cluster, kills, gateway), payoutSteps[gateway].length),
  ]),
];

/**
 * `npm run faults`: the full counts; `npm test` runs a few of each. Optional arguments: the count and the names of
 * runs, as in `npm run faults 5 batch webhooks`.
 */
await runCommand(async () => {
  const { positionals: given } = parseArgs({ allowPositionals: true });
  const count = /^[1-9]\d*$/.test(given[0] ?? '') ? Number(given.shift()) : undefined;
  const unknown = given.filter((name) => !faultRuns.some((run) => run[0] === name));
  if (unknown.length > 0)
    throw new BadConfig(`There is no ${unknown.join(', ')}, only ${faultRuns.map(([name]) => name).join(', ')}`);
  const cluster = await startCluster();
  let code: 0 | 1 = 0;
  try {
    for (const [name, run] of faultRuns.filter((one) => given.length === 0 || given.includes(one[0]))) {
      const started = Date.now();
      const { said, faults, isWhole } = await run(cluster, count);
      const seconds = ((Date.now() - started) / 1000).toFixed(0);
      console.log(`${name}: ${said} (${seconds} s), ${faults.length} faults`);
      for (const fault of faults) console.log(`  ${fault}`);
      if (!isWhole || faults.length > 0) code = 1;
    }
  } finally {
    await cluster.stop();
  }
  return code;
});
