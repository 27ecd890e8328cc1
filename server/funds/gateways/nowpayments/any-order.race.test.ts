import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { type Ipn, nowpaymentsEnv, signIpnText, startNowpayments } from '#test/fake-servers/nowpayments.ts';
import { runs } from '#test/kit/property-runs.ts';
import { createDeposit } from '../../deposits/create-deposit.ts';
import { receiveWebhook } from '../../deposits/follow-deposit.ts';
import { reconcileDeposits } from '../../deposits/reconcile-deposits.ts';
import { openFundsWorld, usd } from '../../funds-world.test-setup.ts';

/** 300 in `npm test`, 10 000 in `npm run test:full`. */
const NOTIFICATIONS = runs(1000);
const A_DEPOSIT = 50;
const CONCURRENCY = 16;

const node = closeAfterAll(await startNowpayments());
const world = closeAfterAll(await openFundsWorld(nowpaymentsEnv(node)));
node.clock.now = () => world.clock.now().getTime();

/** A fixed sequence, so that an order that fails can be run again. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}

/** Actions of payers, in steps between which notifications arrive, and the expected result in dollars. */
type Life = { readonly steps: ((id: string) => void)[]; readonly credited: number; readonly held: number };
const other = { currency: 'trx', outcome: { amount: 31.5, currency: 'usdttrc20' } };
const lives: readonly Life[] = [
  { steps: [(id) => node.pay(id, 100), (id) => node.finish(id)], credited: 100, held: 0 },
  { steps: [(id) => node.pay(id, 120), (id) => node.finish(id)], credited: 120, held: 0 },
  {
    steps: [(id) => node.pay(id, 100), (id) => node.finish(id), (id) => node.finish(node.payAgain(id, 40))],
    credited: 100,
    held: 40,
  },
  { steps: [(id) => node.pay(id, 60), (id) => node.finishPart(id)], credited: 0, held: 0 },
  {
    steps: [(id) => node.pay(id, 60), (id) => node.finishPart(id), (id) => node.finish(node.payAgain(id, 40))],
    credited: 0,
    held: 100,
  },
  {
    steps: [(id) => node.pay(id, 60), (id) => node.finishPart(id), (id) => node.pay(id, 100), (id) => node.finish(id)],
    credited: 100,
    held: 0,
  },
  { steps: [(id) => node.finish(node.payAgain(id, 120, other))], credited: 0, held: 31.5 },
  { steps: [(id) => node.change(id, 'failed')], credited: 0, held: 0 },
  { steps: [() => {}], credited: 0, held: 0 },
];

type Given = { readonly id: bigint; readonly owner: bigint; readonly paymentId: string; readonly life: Life };

test(`${NOTIFICATIONS} notifications, shuffled, doubled and forged, of many deposits at once: each is credited exactly once`, async () => {
  const roll = dice(20_260_304);
  const memberId = await world.addMember();
  const deposits: Given[] = [];
  for (let index = 0; index * A_DEPOSIT < NOTIFICATIONS; index += 1) {
    // Five of a member at most wait for a payment.
    const owner = index % 5 === 0 ? await world.addMember() : (deposits.at(-1)?.owner ?? memberId);
    const body = { amount: 100, pay_with: 'TRC20' as const };
    const { id } = await createDeposit(world.context, owner, body, undefined);
    const row = await world.find(BigInt(id));
    const life = lives[index % lives.length] as Life;
    deposits.push({ id: row.id, owner, paymentId: row.invoice_id as string, life });
  }

  let left = NOTIFICATIONS;
  let refused = 0;
  const receive = async ({ rawBody, headers }: Omit<Ipn, 'paymentId'>) => {
    try {
      await receiveWebhook(world.context, world.gateway, rawBody, headers);
    } catch (error) {
      expect(error).toMatchObject({ code: 'bad_signature' });
      refused += 1;
    }
  };
  const told: Ipn[] = [];
  let forged = 0;
  /** A genuine notification, possibly repeated, or a forged one. */
  const draw = (): Omit<Ipn, 'paymentId'> => {
    const ipn = told[roll(told.length)] as Ipn;
    const kind = roll(5);
    if (kind > 1) return ipn;
    forged += 1;
    const text = ipn.rawBody.toString('utf8');
    const finished = text.replace(/"payment_status":"[a-z_]+"/, '"payment_status":"finished"');
    const id = (deposits[roll(deposits.length)] as Given).paymentId;
    if (kind === 0) return signIpnText('a-guessed-secret', finished);
    return { ...ipn, rawBody: Buffer.from(finished.replace(/"payment_id":\d+/, `"payment_id":${Number(id) + 1}`)) };
  };
  const deliver = async (count: number) => {
    let due = Math.min(count, left);
    left -= due;
    const hand = async () => {
      while (due > 0) {
        due -= 1;
        await receive(draw());
        if (roll(200) === 0) await reconcileDeposits(world.context, [world.gateway]);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, hand));
  };

  const rounds = Math.max(...lives.map(({ steps }) => steps.length));
  for (let round = 0; round < rounds; round += 1) {
    for (const { life, paymentId } of deposits) life.steps[round]?.(paymentId);
    told.push(...node.ipns.splice(0));
    await deliver(Math.ceil(NOTIFICATIONS / (rounds + 1)));
  }
  await deliver(left);
  expect(refused).toBe(forged);
  expect(forged).toBeGreaterThan(NOTIFICATIONS / 10);
  await reconcileDeposits(world.context, [world.gateway]);
  for (const ipn of told) await receive(ipn);

  for (const { id, life } of deposits) {
    const row = await world.find(id);
    const { rows } = await sql<{ reason: string; micros: bigint; transfers: bigint }>`
      select reason, sum(amount)::bigint as micros, count(*) as transfers from ledger.transfer
      where reference = ${row.reference} group by reason order by reason`.execute(world.context.db);
    const credit = rows.find(({ reason }) => reason === 'deposit');
    const hold = rows.find(({ reason }) => reason === 'deposit_unallocated');
    expect([credit?.micros ?? 0n, hold?.micros ?? 0n]).toEqual([usd(life.credited), usd(life.held)]);
    expect(credit?.transfers ?? 0n).toBe(life.credited > 0 ? 1n : 0n);
    expect(row.booked_micros).toBe(usd(life.credited + life.held));
  }
}, 600_000);
