import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { checkFunds } from '#server/funds/check-funds.ts';
import { approveWithdrawal } from '#server/funds/review/approve-withdrawal.ts';
import { admitWithdrawal, holdWithdrawal } from '#server/funds/withdrawals/request-withdrawal.ts';
import { saveAddress } from '#server/funds/withdrawals/save-address.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import { waitUntil } from '#test/kit/wait-until.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { type BtcpayCall, btcpayEnv, type FakeBtcpay, startBtcpay } from '../fake-servers/btcpay.ts';
import { type FakeExchange, startExchange } from '../fake-servers/exchange.ts';
import { type NowpaymentsCall, nowpaymentsPayerEnv, startNowpayments } from '../fake-servers/nowpayments.ts';
import { type FaultCluster, type FaultWorld, openFaultWorld } from './fault-world.ts';
import type { KillReport } from './kill-rounds.ts';

/**
 * When the server is killed: as a call of its payout arrives at the gateway, or shortly after, while its reply is being
 * stored.
 */
type PayoutStep = { readonly call: BtcpayCall | NowpaymentsCall; readonly laterMs: number };

const WRITING_MS = 40;

const listing: readonly PayoutStep[] = [{ call: 'listPayouts', laterMs: 0 }];
const ordering: readonly PayoutStep[] = [
  { call: 'createPayout', laterMs: 0 },
  { call: 'createPayout', laterMs: WRITING_MS },
  { call: 'getPayout', laterMs: 0 },
  { call: 'getPayout', laterMs: WRITING_MS },
];

export const payoutSteps = {
  btcpay: [...listing, { call: 'getRates', laterMs: 0 }, ...ordering],
  nowpayments: [
    { call: 'signIn', laterMs: 0 },
    ...listing,
    ...ordering,
    // Held until it is confirmed.
    { call: 'verifyPayout', laterMs: 0 },
    { call: 'verifyPayout', laterMs: WRITING_MS },
  ],
} as const satisfies Record<string, readonly PayoutStep[]>;

/** A local gateway, as the rounds see it. */
type Payer = {
  readonly node: {
    readonly calls: PayoutStep['call'][];
    readonly interferences: { call: 'createPayout'; with: Trouble }[];
    readonly close: () => Promise<void>;
  };
  readonly env: Record<string, string>;
  readonly payTo: { readonly network: PayoutNetwork; readonly address: string };
  /** All payouts, oldest first. */
  readonly payouts: () => { readonly id: string; readonly reference: unknown; readonly transaction: string | null }[];
  /** Pays what it may pay. */
  readonly pay: () => void;
};

const payers: Readonly<Record<keyof typeof payoutSteps, () => Promise<Payer>>> = {
  btcpay: async () => {
    const node = await startBtcpay();
    return {
      node: node as Payer['node'],
      env: btcpayEnv(node),
      payTo: { network: 'BTC', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
      payouts: () => node.payouts.map(({ metadata, ...payout }) => ({ ...payout, reference: metadata.orderId })),
      pay: () => {
        for (const { id, state } of node.payouts) if (state === 'AwaitingPayment') node.completePayout(id);
      },
    };
  },
  nowpayments: async () => {
    const node = await startNowpayments();
    const { made, finish } = node.payouts;
    node.balance.set('usdttrc20', { amount: 1_000_000, pendingAmount: 0 });
    // The house has no capital, so each payout has to earn its network fee.
    node.payouts.settings.fees = { usdttrc20: 0.5 };
    return {
      node: node as Payer['node'],
      env: nowpaymentsPayerEnv(node),
      payTo: { network: 'TRC20', address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
      payouts: () => made.map(({ hash, ...payout }) => ({ ...payout, transaction: hash })),
      pay: () => {
        for (const { id, status } of made) if (status === 'PROCESSING') finish(id);
      },
    };
  },
};

/** What the gateway additionally does to some orders. */
type Trouble = Exclude<FakeBtcpay['interferences'][number]['with'], 'delay'>;
const troubles: readonly (Trouble | undefined)[] = [
  undefined,
  undefined,
  'do_and_hang',
  'do_and_break',
  'break',
  { status: 500, body: { code: 'unexpected', message: 'Something went wrong' } },
];

type World = FaultWorld & {
  readonly payer: Payer;
  readonly exchange: FakeExchange;
  readonly memberId: bigint;
  readonly operator: TestOperator;
};

/**
 * Sends the real server SIGKILL at each step of a payout, while a local gateway accepts its orders, sometimes without a
 * reply. In the end the gateway must have at most one payout for each withdrawal, and exactly the withdrawals
 * that it paid must be completed; where it has no payout, an operator is asked.
 */
export async function killInsidePayout(
  cluster: FaultCluster,
  kills: number,
  gateway: keyof typeof payoutSteps,
  steps: readonly PayoutStep[] = payoutSteps[gateway],
): Promise<KillReport> {
  const world = await openWorld(cluster, `faults_${gateway}`, await payers[gateway]());
  let done = 0;
  let rounds = 0;
  try {
    while (done < kills && rounds < kills * 2) {
      if (await killWhilePaying(world, steps[rounds % steps.length] as PayoutStep)) done += 1;
      rounds += 1;
    }
    await finish(world);
    return { kills: done, rounds, faults: await checkBooks(world) };
  } finally {
    await world.database.close();
    await world.payer.node.close();
    await world.exchange.close();
  }
}

/** @returns whether the server was killed at the step */
async function killWhilePaying(world: World, step: PayoutStep): Promise<boolean> {
  const { env, payer } = world;
  const { interferences } = payer.node;
  const trouble = step.call === 'createPayout' ? troubles[randomInt(troubles.length)] : undefined;
  if (trouble !== undefined) interferences.push({ call: 'createPayout', with: trouble });
  await approveOne(world);
  const server = await startServer(env);
  const isKilled = await killAt(payer, server, step);
  interferences.length = 0;
  await letTimePass(world);
  return isKilled;
}

/** The gateway pays its orders meanwhile, so that there is an outcome to query. */
async function killAt({ node, pay }: Payer, server: ServerProcess, step: PayoutStep): Promise<boolean> {
  const arrived = Promise.withResolvers<void>();
  const push = node.calls.push;
  node.calls.push = (...calls) => {
    if (calls.includes(step.call)) arrived.resolve();
    return push.apply(node.calls, calls);
  };
  const paying = setInterval(pay, 100);
  const isThere = await Promise.race([arrived.promise.then(() => true), sleep(20_000, false)]);
  if (step.laterMs > 0) await sleep(randomInt(step.laterMs));
  await server.kill();
  clearInterval(paying);
  node.calls.push = push;
  return isThere;
}

/** The claims of the killed server expire, and much time passes. */
async function letTimePass({ database }: World): Promise<void> {
  await sql`
    update funds.withdrawal set payout_started_at = payout_started_at - interval '1 hour',
      updated_at = updated_at - interval '1 hour', checked_at = null
    where state in ('approved', 'sent', 'uncertain')`.execute(database.db);
}

/** An undisturbed server must complete everything that it can. */
async function finish(world: World): Promise<void> {
  const { database, payer, env } = world;
  const server = await startServer(env);
  const paying = setInterval(payer.pay, 100);
  const isFinished = await waitUntil(
    async () => {
      await sql`update funds.withdrawal set checked_at = null where checked_at < now() - interval '3 seconds'`.execute(
        database.db,
      );
      return (await countUnfinished(world)) === 0;
    },
    90_000,
    200,
  );
  clearInterval(paying);
  await server.stop();
  assert(isFinished, `payouts did not come to an end\n${server.output()}`);
}

/** Withdrawals that are unpaid, or paid by the gateway and not yet known to be. */
async function countUnfinished({ database, payer }: World): Promise<number> {
  const rows = await listRows(database.db)<{ reference: string; state: string }>`
    select reference, state from funds.withdrawal where state in ('approved', 'sent', 'uncertain')`;
  return rows.filter(({ reference, state }) => state !== 'uncertain' || payoutsOf(payer, reference).length > 0).length;
}

const payoutsOf = (payer: Payer, reference: string) =>
  payer.payouts().filter((payout) => payout.reference === reference);

async function checkBooks({ database, payer }: World): Promise<string[]> {
  const { rows } = await sql<{
    reference: string;
    state: string;
    payout_id: string | null;
    transaction: string | null;
  }>`
    select reference, state, payout_id, transaction from funds.withdrawal order by id`.execute(database.db);
  const wrong = rows.flatMap(({ reference, state, payout_id, transaction }) => {
    const [payout, ...more] = payoutsOf(payer, reference);
    if (more.length > 0) return [`${reference} was paid ${more.length + 1} times`];
    if (payout === undefined)
      return state === 'uncertain' ? [] : [`${reference} is ${state}, and the gateway has none`];
    const isSame = state === 'completed' && payout_id === payout.id && transaction === payout.transaction;
    return isSame ? [] : [`${reference} is ${state} as ${payout_id}, the gateway paid ${payout.id}`];
  });
  const strays = payer.payouts().filter(({ reference }) => !rows.some((row) => row.reference === reference));
  const findings = [...(await verifyLedger(database.db)), ...(await checkFunds(database.db))];
  return [
    ...wrong,
    ...strays.map((payout) => `payout ${payout.id} is of no withdrawal`),
    ...findings.map(({ subject, message }) => `${subject}: ${message}`),
  ];
}

/** A withdrawal of $20 in the state after its code was verified, approved by an operator with a second factor. */
async function approveOne({ context, memberId, operator }: World): Promise<void> {
  const { id, version } = await inTransaction(context.db, async (tx) => {
    const row = await admitWithdrawal(tx, context, { memberId, amountMicros: 20_000_000n, wallet: 'primary' });
    await holdWithdrawal(tx, context, row);
    return row;
  });
  const actor = actorOf(operator);
  await approveWithdrawal(context, actor, { withdrawalId: id, version, otp: await operator.code() });
}

async function openWorld(cluster: FaultCluster, name: string, payer: Payer): Promise<World> {
  const exchange = await startExchange();
  const settings = { ...payer.env, CCXT_URL: exchange.url };
  const { database, context, env } = await openFaultWorld(cluster, name, settings);
  const { memberId } = await signUp(context);
  await giveFunds(context, memberId, 4_000_000_000n);
  const dayBefore = { ...context, now: () => new Date(Date.now() - 25 * 3_600_000) };
  await inTransaction(database.db, (tx) => saveAddress(tx, dayBefore, { memberId, ...payer.payTo }));
  return { database, context, payer, exchange, env, memberId, operator: await makeOperator(context, 'finance') };
}
