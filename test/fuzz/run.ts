import { parseArgs } from 'node:util';
import { BadConfig } from '#server/config.ts';
import { startCluster } from '#test/database/postgres-cluster.ts';
import { runScript } from '#test/kit/run-script.ts';
import { type Figure, report } from '../../bench/report.ts';
import { runCommand } from '../../scripts/run-command.ts';
import { countOverdrawn, type FuzzLimits, type FuzzReport, fuzz } from './fuzz.ts';
import { type FuzzWorld, openFuzzWorld } from './world.ts';

/** Runs of at least this many requests store their result. */
const KEPT = 200_000;
/** Requests to one world. In time the operators have frozen its members, halted trading and taken its assets off. */
const WORLD = 20_000;

type Outcome = FuzzReport & {
  readonly overdrawn: number;
  /** The output of `ledger:verify` for each world. */
  readonly verified: readonly string[];
  readonly isVerified: boolean;
  readonly seconds: number;
};

/**
 * `npm run fuzz`: sends requests generated from the OpenAPI document to a server on its own PostgreSQL, until the time
 * or the number of requests is used up; after some thousands, with a new demo world. The same seed plans the same
 * requests. Exits with 1 on a finding, or if the ledger does not verify.
 */
await runCommand(async () => {
  const limits = readLimits();
  const cluster = await startCluster();
  try {
    const outcome = await run(limits, cluster);
    print(limits, outcome);
    const isRight = outcome.findings.length === 0 && outcome.isVerified && outcome.overdrawn === 0;
    if (outcome.requests >= KEPT) keep(limits, outcome);
    return isRight ? 0 : 1;
  } finally {
    await cluster.stop();
  }
});

function readLimits(): FuzzLimits {
  const whole = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { minutes: whole, requests: whole, seed: whole, lanes: whole },
    strict: true,
  });
  const { minutes = '5', requests = String(Number.MAX_SAFE_INTEGER), seed = String(Date.now() % 1_000_000) } = values;
  const { lanes = '8' } = values;
  const limits = { minutes: Number(minutes), requests: Number(requests), seed: Number(seed), lanes: Number(lanes) };
  if (!Object.values(limits).every((value) => value >= 0 && Number.isFinite(value)) || limits.lanes < 1)
    throw new BadConfig('--minutes, --requests, --seed, --lanes: must be numbers, with one lane at least');
  return limits;
}

async function run(limits: FuzzLimits, cluster: Parameters<typeof openFuzzWorld>[0]): Promise<Outcome> {
  let total: Outcome | undefined;
  for (let no = 0; ; no += 1) {
    const { requests = 0, seconds = 0, findings = [] } = total ?? {};
    const left = {
      ...limits,
      seed: limits.seed + no * 1000,
      requests: Math.min(WORLD, limits.requests - requests),
      minutes: limits.minutes - seconds / 60,
    };
    if (total !== undefined && (left.requests <= 0 || left.minutes <= 0 || findings.length > 0)) return total;
    const world = await openFuzzWorld(cluster, `fuzz_${no}`);
    try {
      console.log(`Seed ${left.seed}, server ready.`);
      const outcome = await visit(world, left);
      total = total === undefined ? outcome : add(total, outcome);
    } finally {
      await world.close();
    }
  }
}

async function visit(world: FuzzWorld, limits: FuzzLimits): Promise<Outcome> {
  const started = performance.now();
  const done = await fuzz(world, limits);
  const seconds = (performance.now() - started) / 1000;
  const verified = await runScript('ledger-verify.ts', [], world.env);
  return {
    ...done,
    seconds,
    overdrawn: await countOverdrawn(world),
    verified: [(verified.stdout + verified.stderr).trim()],
    isVerified: verified.code === 0,
  };
}

function add(a: Outcome, b: Outcome): Outcome {
  return {
    requests: a.requests + b.requests,
    statuses: sum(a.statuses, b.statuses),
    answers: new Map([...a.answers].map(([name, codes]) => [name, sum(codes, b.answers.get(name) ?? new Map())])),
    findings: [...a.findings, ...b.findings],
    overdrawn: a.overdrawn + b.overdrawn,
    verified: [...a.verified, ...b.verified],
    isVerified: a.isVerified && b.isVerified,
    seconds: a.seconds + b.seconds,
  };
}

function sum<K>(a: ReadonlyMap<K, number>, b: ReadonlyMap<K, number>): Map<K, number> {
  return new Map([...new Set([...a.keys(), ...b.keys()])].map((key) => [key, (a.get(key) ?? 0) + (b.get(key) ?? 0)]));
}

function print({ seed }: FuzzLimits, outcome: Outcome): void {
  const { findings, verified, overdrawn } = outcome;
  for (const { what, curl, answer, log } of findings)
    console.log(`\nFOUND with seed ${seed}: ${what}\n${curl}\n${answer}${log === '' ? '' : `\n${log.trim()}`}`);
  console.log(`\n${describe(outcome).join('\n\n')}\n\n${verified.join('\n\n')}`);
  console.log(`${findings.length} findings, ${overdrawn} member accounts below zero.`);
}

function countSuccessful({ answers }: Outcome): number {
  return [...answers.values()].filter((codes) => codes.has('success')).length;
}

function describe({ requests, seconds, statuses, answers }: Outcome): string[] {
  const refusedOnly = [...answers].filter(([, codes]) => !codes.has('success'));
  const classes = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `| ${status} | ${times} |`);
  const most = (codes: ReadonlyMap<string, number>) => [...codes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'nothing';
  return [
    `${requests} requests to ${answers.size} calls in ${seconds.toFixed(0)} s, no call left out.`,
    ['| status | answers |', '| --- | --- |', ...classes].join('\n'),
    ...(refusedOnly.length === 0
      ? []
      : [
          `Never with success (most frequent refusal): ${refusedOnly.map(([name, codes]) => `${name} (${most(codes)})`).join(', ')}.`,
        ]),
  ];
}

function keep({ seed }: FuzzLimits, outcome: Outcome): void {
  const none = { reference: undefined, bar: 0, aim: 0, atMost: true };
  const figure = (what: string, value: number): Figure => ({ ...none, what, measured: value, unit: '', value });
  const figures = [
    figure('Findings', outcome.findings.length),
    figure('Discrepancies of the ledger', outcome.isVerified ? 0 : 1),
    figure('Member accounts below zero', outcome.overdrawn),
    { ...figure('Requests', outcome.requests), bar: KEPT, aim: KEPT, atMost: false },
    {
      ...figure('Calls that answered with success', countSuccessful(outcome)),
      bar: 200,
      aim: outcome.answers.size,
      atMost: false,
    },
  ];
  report('fuzz', 'Fuzzer', figures, [`Seed ${seed}. ${describe(outcome).join('\n\n')}`]);
}
