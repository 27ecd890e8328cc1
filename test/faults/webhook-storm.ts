import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { listRows } from '#server/db/rows.ts';
import { checkFunds, createDeposit, reconcileDeposits } from '#server/funds/index.ts';
import { type Discrepancy, verifyLedger } from '#server/ledger/index.ts';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import { btcpayEnv, type FakeBtcpay, startBtcpay } from '../fake-servers/btcpay.ts';
import { type BtcpayEvent, makeId, paidDollars } from '../fake-servers/btcpay-invoices.ts';
import { type BtcpayDelivery, postDelivery, writeDelivery } from '../fake-servers/btcpay-webhooks.ts';
import { type FakeExchange, startExchange } from '../fake-servers/exchange.ts';
import { type FaultCluster, type FaultWorld, openFaultWorld } from './fault-world.ts';
import { addMembers } from './simulated-users.ts';

export type StormReport = {
  readonly deposits: number;
  /** The gateway's deliveries, five of each event, and those of others among them. */
  readonly deliveries: number;
  readonly intruders: number;
  /** Retries caused by a killed server or an error. */
  readonly again: number;
  readonly kills: number;
  readonly faults: readonly string[];
};

const TIMES_EACH = 5;
const CONCURRENT_SENDERS = 32;
const CONNECTIONS = 8;
/** BTCPay Server makes this many attempts: at once, after 10 s, after a minute, and six times every 10 minutes. */
const MAX_TRIES = 9;

/** What payers do with an invoice before the first half of the storm, and what happens to it before the second. */
type Fate = {
  readonly begin: (node: FakeBtcpay, id: string, dollars: number) => void;
  readonly end: (node: FakeBtcpay, id: string, dollars: number) => void;
  readonly state: string;
  /** Where money that arrived and was confirmed is credited. */
  readonly to: 'primary' | 'unallocated';
};

const nothing = () => undefined;

const fates: readonly Fate[] = [
  {
    begin: (node, id, dollars) => node.pay(id, dollars),
    end: (node, id) => node.confirm(id),
    state: 'credited',
    to: 'primary',
  },
  {
    begin: (node, id, dollars) => node.pay(id, dollars * 1.2),
    end: (node, id) => node.confirm(id),
    state: 'credited',
    to: 'primary',
  },
  {
    begin: (node, id, dollars) => node.pay(id, dollars * 0.4),
    end: (node, id, dollars) => {
      node.confirm(id);
      node.pay(id, dollars * 0.6);
      node.confirm(id);
    },
    state: 'credited',
    to: 'primary',
  },
  // Underpaid at expiry, and paid in full only afterwards: an operator decides.
  {
    begin: (node, id, dollars) => node.pay(id, dollars * 0.5),
    end: (node, id) => {
      node.confirm(id);
      node.expire(id);
    },
    state: 'review',
    to: 'unallocated',
  },
  {
    begin: (node, id) => node.expire(id),
    end: (node, id, dollars) => {
      node.pay(id, dollars);
      node.confirm(id);
    },
    state: 'review',
    to: 'unallocated',
  },
  // The payment is double-spent and vanishes.
  {
    begin: (node, id, dollars) => node.pay(id, dollars),
    end: (node, id) => {
      node.replace(id);
      node.expire(id);
    },
    state: 'expired',
    to: 'primary',
  },
  { begin: nothing, end: (node, id) => node.expire(id), state: 'expired', to: 'primary' },
  {
    begin: (node, id, dollars) => node.pay(id, dollars),
    end: (node, id) => node.endMonitoring(id),
    state: 'failed',
    to: 'primary',
  },
  // Marked as settled at the gateway, without any payment.
  { begin: nothing, end: (node, id) => node.mark(id, 'Settled'), state: 'review', to: 'primary' },
];

type Started = { readonly memberId: bigint; readonly invoiceId: string; readonly dollars: number; readonly fate: Fate };

/** `refused` must get a final rejection and `taken` a success; neither credits anything by itself. */
type Sending = { readonly delivery: BtcpayDelivery; readonly expected: 'taken' | 'refused' };

type World = FaultWorld & { readonly node: FakeBtcpay; readonly exchange: FakeExchange };

/**
 * A storm of webhooks on the real server: every event five times, shuffled, 32 at once, mixed with forged ones, those
 * of a foreign store or of unknown invoices, and valid ones that claim more than the gateway confirms. The server gets
 * SIGKILL now and then. In the end each deposit must be credited once, with what arrived at the gateway.
 *
 * The server's own jobs are off, so that only webhooks can credit a deposit.
 */
export async function stormWebhooks(
  cluster: FaultCluster,
  { deposits, kills }: { deposits: number; kills: number },
): Promise<StormReport> {
  const world = await openWorld(cluster);
  const { node, database } = world;
  try {
    const started = await startDeposits(world, deposits);
    for (const { fate, invoiceId, dollars } of started) fate.begin(node, invoiceId, dollars);
    const early = halfOf(node, 0);
    const first = await storm(world, early.sendings, Math.ceil(kills / 2));
    const faults = [...first.faults, ...(await findEarlyMoney(world))];

    for (const { fate, invoiceId, dollars } of started) fate.end(node, invoiceId, dollars);
    const late = halfOf(node, early.events);
    const second = await storm(world, late.sendings, Math.floor(kills / 2));
    faults.push(...second.faults, ...(await checkDeposits(world, started)), ...(await checkAll(world)));
    return {
      deposits,
      deliveries: (early.events + late.events) * TIMES_EACH,
      intruders: early.intruders + late.intruders,
      again: first.again + second.again,
      kills,
      faults,
    };
  } finally {
    await database.close();
    await Promise.all([node.close(), world.exchange.close()]);
  }
}

/** The deliveries for all events at the gateway from index `from` on. */
function halfOf(node: FakeBtcpay, from: number) {
  const events = node.events.slice(from);
  const intruders = intrude(node, events);
  return { events: events.length, intruders: intruders.length, sendings: [...repeat(node, events), ...intruders] };
}

const repeat = (node: FakeBtcpay, events: readonly BtcpayEvent[]): Sending[] =>
  events.flatMap((event) =>
    Array.from({ length: TIMES_EACH }, (_, index) => ({
      delivery: writeDelivery(node, event, index > 0),
      expected: 'taken' as const,
    })),
  );

/** One of each kind for every tenth event. */
function intrude(node: FakeBtcpay, events: readonly BtcpayEvent[]): Sending[] {
  const settled = (event: BtcpayEvent): BtcpayEvent => ({
    ...event,
    id: makeId(),
    type: 'InvoiceSettled',
    fields: { manuallyMarked: false, overPaid: false },
  });
  return events
    .filter((_, index) => index % 10 === 0)
    .flatMap((event): Sending[] => {
      const good = writeDelivery(node, settled(event));
      const reordered = Buffer.from(JSON.stringify(JSON.parse(good.rawBody.toString())));
      const forged = { storeId: node.storeId, webhookSecret: 'a secret that somebody guessed' };
      const foreign = { storeId: makeId(), webhookSecret: node.webhookSecret };
      return [
        // Valid signatures, but premature or repeated: the server asks the gateway, which reports the real state.
        { delivery: good, expected: 'taken' },
        { delivery: writeDelivery(foreign, settled(event)), expected: 'taken' },
        { delivery: writeDelivery(node, { ...settled(event), invoiceId: makeId() }), expected: 'taken' },
        { delivery: writeDelivery(forged, settled(event)), expected: 'refused' },
        { delivery: { ...good, rawBody: reordered }, expected: 'refused' },
      ];
    });
}

type Storm = { again: number; faults: string[] };

/** Sends all deliveries, shuffled, and kills the server at even intervals, whatever is under way. */
async function storm({ env }: World, sendings: readonly Sending[], kills: number): Promise<Storm> {
  const waiting = shuffle(sendings);
  const killAt = Array.from({ length: kills }, (_, index) =>
    Math.floor((waiting.length * (index + 1)) / (kills + 1) + randomInt(CONCURRENT_SENDERS)),
  );
  const found: Storm = { again: 0, faults: [] };
  let serving: Promise<ServerProcess> = startServer(env);
  let sent = 0;

  const replace = async (dying: Promise<ServerProcess>) => {
    await (await dying).kill();
    return startServer(env);
  };
  const send = async ({ delivery, expected }: Sending): Promise<void> => {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      // Instead of the gateway's pauses, waits only until the server is up again.
      const { origin } = await serving;
      const status = await postDelivery(`${origin}/api/v1/webhooks/btcpay`, delivery);
      if (status !== null && status < 500 && status !== 408 && status !== 429) {
        const isRefused = status >= 400;
        if (isRefused !== (expected === 'refused')) found.faults.push(`${delivery.event.type} was answered ${status}`);
        return;
      }
      found.again += 1;
    }
    found.faults.push(`${delivery.event.type} was never answered`);
  };
  const sender = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      sent += 1;
      if (sent > (killAt[0] ?? Number.POSITIVE_INFINITY)) {
        killAt.shift();
        serving = replace(serving);
      }
      await send(next);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT_SENDERS }, sender));
  } finally {
    await (await serving).stop();
  }
  return found;
}

function shuffle<T>(items: readonly T[]): T[] {
  const shuffled = [...items];
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = randomInt(index + 1);
    [shuffled[index], shuffled[other]] = [shuffled[other] as T, shuffled[index] as T];
  }
  return shuffled;
}

async function startDeposits({ context, node }: World, count: number): Promise<Started[]> {
  const members = await addMembers(context, count);
  const started: Started[] = [];
  const starter = async () => {
    for (let memberId = members.pop(); memberId !== undefined; memberId = members.pop()) {
      const dollars = randomInt(20, 5000);
      const { id } = await createDeposit(context, memberId, { amount: dollars, risk_accepted: true }, undefined);
      const invoice = [...node.invoices.values()].find(({ metadata }) => metadata.orderId === id);
      if (invoice === undefined) throw new Error(`the gateway has no invoice of deposit ${id}`);
      const fate = fates[Number(memberId) % fates.length] as Fate;
      started.push({ memberId, invoiceId: invoice.id, dollars, fate });
    }
  };
  await Promise.all(Array.from({ length: 8 }, starter));
  return started;
}

/** While nothing is confirmed at the gateway, nothing may be credited. */
async function findEarlyMoney({ database }: World): Promise<string[]> {
  const rows = await listRows(database.db)<{ reference: string }>`
    select reference from ledger.transfer where reason in ('deposit', 'deposit_unallocated') limit 5`;
  return rows.map(({ reference }) => `${reference} was booked before anything was confirmed`);
}

type Booked = { member_id: bigint; state: string; primary: bigint; unallocated: bigint; transfers: number };

/** Each deposit has the state its payers caused and the amount the gateway confirmed, in one transfer at most. */
async function checkDeposits({ database, node }: World, started: readonly Started[]): Promise<string[]> {
  const { rows } = await sql<Booked>`
    select d.member_id, d.state, count(t.id)::int as transfers,
      coalesce(sum(t.amount) filter (where t.reason = 'deposit'), 0)::bigint as primary,
      coalesce(sum(t.amount) filter (where t.reason = 'deposit_unallocated'), 0)::bigint as unallocated
    from funds.deposit d left join ledger.transfer t on t.reference = d.reference
    group by d.id`.execute(database.db);
  const booked = new Map(rows.map((row) => [row.member_id, row]));
  return started.flatMap(({ memberId, invoiceId, fate }) => {
    const invoice = node.invoices.get(invoiceId);
    const arrived = invoice === undefined ? 0n : BigInt(paidDollars(invoice, 'Settled').times(1e6).floor().toFixed());
    const expected: Booked = {
      member_id: memberId,
      state: fate.state,
      primary: fate.to === 'primary' ? arrived : 0n,
      unallocated: fate.to === 'unallocated' ? arrived : 0n,
      transfers: arrived > 0n ? 1 : 0,
    };
    const [has, should] = [inWords(booked.get(memberId)), inWords(expected)];
    return has === should ? [] : [`has ${has}, should have ${should}`];
  });
}

const inWords = (row: Booked | undefined): string =>
  row === undefined
    ? 'nothing'
    : `member ${row.member_id} ${row.state} ${row.primary} + ${row.unallocated} in ${row.transfers}`;

/** The ledger verifies, no notification is repeated, and reconciliation has nothing left to do. */
async function checkAll({ context, database }: World): Promise<string[]> {
  const twice = await listRows(database.db)<{ member_id: bigint }>`
    select member_id from notify.notification group by member_id, kind, message having count(*) > 1 limit 5`;
  const { changed } = await reconcileDeposits(context);
  const discrepancies: Discrepancy[] = [...(await checkFunds(database.db)), ...(await verifyLedger(database.db))];
  return [
    ...twice.map((row) => `member ${row.member_id} was told twice`),
    ...(changed === 0 ? [] : [`the reconciliation still changed ${changed} deposits`]),
    ...discrepancies.map(({ subject, message }) => `${subject}: ${message}`),
  ];
}

async function openWorld(cluster: FaultCluster): Promise<World> {
  const [node, exchange] = await Promise.all([startBtcpay(), startExchange()]);
  const settings = { ...btcpayEnv(node), CCXT_URL: exchange.url, JOBS: 'off', RATE_LIMIT: '1000000' };
  return { ...(await openFaultWorld(cluster, 'faults_webhooks', settings, CONNECTIONS)), node, exchange };
}
