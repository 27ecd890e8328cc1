import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { DepositState } from '#contract/funds/deposits.ts';
import { getMember } from '#server/accounts/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { btcpayEnv, startBtcpay } from '#test/fake-servers/btcpay.ts';
import { writeDelivery } from '#test/fake-servers/btcpay-webhooks.ts';
import { runs } from '#test/kit/property-runs.ts';
import { receiveWebhook } from '../../deposits/follow-deposit.ts';
import { reconcileDeposits } from '../../deposits/reconcile-deposits.ts';
import { openFundsWorld } from '../../funds-world.test-setup.ts';
import type { Gateway, Invoice } from '../gateway.ts';

const node = closeAfterAll(await startBtcpay());
const world = closeAfterAll(await openFundsWorld(btcpayEnv(node)));
node.now = () => world.clock.now().getTime();

/**
 * Actions of payers, miners and the store's owner on an invoice. The gateway ignores those that do not apply.
 */
const acts = {
  pay40: (id: string) => node.pay(id, 40),
  pay100: (id: string) => node.pay(id, 100),
  pay130: (id: string) => node.pay(id, 130),
  confirm: (id: string) => node.confirm(id),
  replace: (id: string) => node.replace(id),
  expire: (id: string) => node.expire(id),
  endMonitoring: (id: string) => node.endMonitoring(id),
  markSettled: (id: string) => node.mark(id, 'Settled'),
  markInvalid: (id: string) => node.mark(id, 'Invalid'),
};
type Act = keyof typeof acts;

/** Events arrive between actions: any past events, in any order, repeatedly, concurrently, or none. */
type Step = Act | { readonly deliver: readonly number[] } | 'reconcile';

const walk: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(Object.keys(acts) as Act[])) },
    { weight: 4, arbitrary: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }).map((deliver) => ({ deliver })) },
    { weight: 1, arbitrary: fc.constant('reconcile' as const) },
  ),
  { minLength: 1, maxLength: 16 },
);

type Look = Pick<Invoice, 'status' | 'paidMicros' | 'settledMicros' | 'amountMicros'>;
const isClosed = (look: Look) => look.status === 'Settled' || look.status === 'Expired' || look.status === 'Invalid';

/**
 * What docs/product.md, section 4 makes of the pictures of the invoice that we got to see, the last one being the
 * present.
 */
function expected(looks: readonly Look[]) {
  const last = looks.at(-1) as Look;
  const seen = looks.slice(looks.findIndex(isClosed));
  const [first] = seen as [Look];
  if (!looks.some(isClosed)) return { state: openState(last), credited: 0n, held: 0n, isFrozen: false };
  const booked = last.settledMicros;
  if (first.status === 'Settled' && first.settledMicros > 0n) {
    const credited = first.settledMicros;
    const isReversed = seen.some((look) => look.status === 'Invalid');
    const isSettled = !isReversed && booked === credited;
    return { state: isSettled ? 'credited' : 'review', credited, held: booked - credited, isFrozen: isReversed };
  }
  const quiet = { Settled: 'review', Expired: 'expired', Invalid: 'failed' }[first.status as 'Settled'];
  const isQuiet = seen.every((look) => (first.status === 'Expired' ? look.paidMicros : look.settledMicros) === 0n);
  return { state: isQuiet ? quiet : 'review', credited: 0n, held: booked, isFrozen: false };
}

function openState({ status, paidMicros, settledMicros, amountMicros }: Look): DepositState {
  if (status === 'Processing') return 'pending';
  if (paidMicros === 0n) return 'created';
  return settledMicros === paidMicros && paidMicros < amountMicros ? 'underpaid' : 'pending';
}

async function readLedger(reference: string) {
  const { rows } = await sql<{ reason: string; micros: bigint; transfers: bigint }>`
    select reason, sum(amount)::bigint as micros, count(*) as transfers from ledger.transfer
    where reference = ${reference} group by reason`.execute(world.context.db);
  const of = (reason: string) => rows.find((row) => row.reason === reason);
  return {
    credited: of('deposit')?.micros ?? 0n,
    credits: of('deposit')?.transfers ?? 0n,
    held: of('deposit_unallocated')?.micros ?? 0n,
  };
}

/** One member for all sequences, until one of them freezes the member. */
let memberId: bigint | undefined;

async function play(steps: readonly Step[]): Promise<DepositState> {
  memberId ??= await world.addMember();
  const deposit = await world.addDeposit(100, memberId);
  const before = await world.primary(memberId);
  const invoiceId = deposit.invoice_id as string;
  const looks: Look[] = [];
  const gateway: Gateway = {
    ...world.gateway,
    findInvoice: async (id, known) => {
      const invoice = await world.gateway.findInvoice(id, known);
      if (invoice !== undefined && id === invoiceId) looks.push(invoice);
      return invoice;
    },
  };
  const begun = node.events.length - 1;
  const deliver = (index: number) => {
    const happened = node.events.slice(begun);
    const event = happened[index % happened.length];
    if (event === undefined) throw new Error('an invoice begins with an event');
    const { rawBody, headers } = writeDelivery(node, event, index % 2 === 1);
    return receiveWebhook(world.context, gateway, rawBody, headers);
  };
  const reconcile = async () => {
    world.clock.advance(3600);
    await reconcileDeposits(world.context, [gateway]);
  };

  for (const step of steps) {
    if (step === 'reconcile') await reconcile();
    else if (typeof step === 'string') acts[step](invoiceId);
    else await Promise.all(step.deliver.map(deliver));
  }
  await reconcile();
  // Checking the last deposit again must have no effect.
  const settled = await world.find(deposit.id);
  for (const event of node.events.slice(begun).toReversed()) {
    const { rawBody, headers } = writeDelivery(node, event, true);
    await receiveWebhook(world.context, gateway, rawBody, headers);
  }

  const after = await world.find(deposit.id);
  expect(after).toEqual(settled);
  const { state, credited, held, isFrozen } = expected(looks);
  const ledger = await readLedger(deposit.reference);
  expect({ state: after.state, credited: ledger.credited, held: ledger.held }).toEqual({ state, credited, held });
  expect(ledger.credits).toBe(credited > 0n ? 1n : 0n);
  expect(after.booked_micros).toBe(ledger.credited + ledger.held);
  expect((await world.primary(memberId)) - before).toBe(ledger.credited);
  expect((await getMember(world.context.db, memberId)).frozenAt !== null).toBe(isFrozen);
  if (isFrozen) memberId = undefined;
  // In the end, the ledger has exactly what the gateway has confirmed.
  const invoice = await world.gateway.findInvoice(invoiceId);
  if (invoice !== undefined && isClosed(invoice)) expect(after.booked_micros).toBe(invoice.settledMicros);
  else expect(after.booked_micros).toBe(0n);
  // Final, and too old to be polled while other invoices are simulated.
  node.mark(invoiceId, 'Invalid');
  world.clock.advance(26 * 3600);
  return after.state;
}

test('any sequence of an invoice, with events shuffled, repeated, concurrent or dropped, is booked to the micro', async () => {
  const property = fc.asyncProperty(walk, async (steps) => void (await play(steps)));
  await fc.assert(property, { numRuns: runs(60) });
}, 120_000);

/** Sequences that random generation rarely produces. */
test.each<[string, Step[], DepositState]>([
  ['paid in full', ['pay100', 'confirm'], 'credited'],
  ['paid in three parts', ['pay40', 'pay40', 'pay40', 'confirm'], 'credited'],
  ['replaced, and paid again', ['pay100', 'replace', 'pay130', 'confirm'], 'credited'],
  ['never confirmed', ['pay100', 'endMonitoring'], 'failed'],
  ['never confirmed, and then all the same', ['pay100', 'endMonitoring', 'reconcile', 'confirm'], 'review'],
  ['part, and over', ['pay40', 'confirm', 'expire'], 'review'],
  ['late', ['expire', 'reconcile', 'pay100', 'confirm'], 'review'],
  ['settled by hand without a cent', ['markSettled'], 'review'],
  ['settled by hand with a part', ['pay40', 'confirm', 'markSettled'], 'credited'],
  ['taken back after crediting', ['pay100', 'confirm', 'reconcile', 'markInvalid'], 'review'],
  ['paid again after crediting', ['pay100', 'confirm', 'reconcile', 'pay40', 'confirm'], 'review'],
])('%s', async (_, steps, state) => {
  expect(await play(steps)).toBe(state);
});
