import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Faults } from '#server/faults.ts';
import { getHouseBalance, post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import {
  addUnits,
  bookedRate,
  isFarRate,
  isPlausibleFee,
  isRateAccepted,
  microsBookedFor,
  valueOfCoins,
} from '../core/coins.ts';
import { knownOf } from '../deposits/follow-deposit.ts';
import { listDepositsWithCoins } from '../deposits/sql.ts';
import { atEach, chooseGateways } from '../gateways/choose-gateway.ts';
import type { CoinsAtGateway, Gateway } from '../gateways/gateway.ts';
import { listSentPayouts, orderOf } from '../withdrawals/withdrawal.ts';
import {
  findCoins,
  insertCoins,
  isFeeBooked,
  lastRateOf,
  listMissingFees,
  lockCoins,
  type MissingFee,
  updateOutlier,
  updateValued,
  writeMove,
} from './move-coins.ts';

const HOUR_MS = 3_600_000;
/** How long after a payout its network fee is queried, ever less often. */
const FEE_WINDOW_MS = 30 * 24 * HOUR_MS;

type CoinGateway = Gateway & { readonly coins: CoinsAtGateway };
const holdsCoins = (gateway: Gateway): gateway is CoinGateway => gateway.coins !== undefined;

/**
 * Job: books the house's gains and losses on coins held at gateways (docs/product.md, section 2). Books the network fee
 * of each payout once, and revalues the coins at the gateway's rate once an hour. Safe to run by several workers.
 *
 * @returns how many transfers were posted
 */
export const followCoins = (
  context: Context,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<number> =>
  atEach(gateways, async (gateway) => {
    if (!holdsCoins(gateway)) return 0;
    const isOpen = (await findCoins(context.db, gateway.name)) !== undefined;
    if (!isOpen && !(await openHolding(context, gateway, gateways))) return 0;
    const faults = new Faults();
    const valued = await faults.keep(() => valueCoins(context, gateway));
    const booked = await faults.keep(() => bookFees(context, gateway));
    faults.throwAny();
    return (valued ?? 0) + (booked ?? 0);
  });

/** Posts a gain or loss against the gateway's balance; nothing for 0. */
async function postResult(tx: Tx, transfer: Pick<Transfer, 'key' | 'reason' | 'reference'>, signedMicros: bigint) {
  if (signedMicros === 0n) return 0;
  const [gateway, result] = [{ class: 'gateway' }, { class: 'gateway_result' }] as const;
  const ends = signedMicros > 0n ? { from: gateway, to: result } : { from: result, to: gateway };
  const amountMicros = signedMicros > 0n ? signedMicros : -signedMicros;
  await post(tx, [{ ...transfer, ...ends, amountMicros, marketAt: await getMarketTime(tx) }]);
  return 1;
}

/** Transactions whose implausible fee this process has logged: the fee is polled again but logged once. */
const loggedFees = new Set<string>();

/** When this process last queried the fee of a transaction. */
const queriedFees = new Map<string, number>();

/** A missing fee is queried at most once in a 24th of its payout's age: after a day each hour, after a month each day. */
function isFeeDue(transaction: string, paidAt: Date, now: Date): boolean {
  const queriedAt = queriedFees.get(transaction) ?? 0;
  return now.getTime() - queriedAt >= (now.getTime() - paidAt.getTime()) / 24;
}

/** An error about one fee does not skip the others; it is thrown after the last. */
async function bookFees(context: Context, gateway: CoinGateway): Promise<number> {
  const { db, now } = context;
  const faults = new Faults();
  let booked = 0;
  for (const missing of await listMissingFees(db, gateway.name, new Date(now().getTime() - FEE_WINDOW_MS))) {
    if (!isFeeDue(missing.transaction, missing.paidAt, now())) continue;
    queriedFees.set(missing.transaction, now().getTime());
    const posted = (await faults.keep(() => bookFee(context, gateway, missing))) ?? 0;
    if (posted > 0) queriedFees.delete(missing.transaction);
    booked += posted;
  }
  faults.throwAny();
  return booked;
}

/** An implausible fee is not booked: Solvency shows it as a difference until an operator resolves it. */
async function bookFee(
  { db, now, log }: Context,
  { name, coins }: CoinGateway,
  { transaction, paidMicros }: MissingFee,
): Promise<number> {
  const units = await coins.findNetworkFee(transaction);
  if (units === undefined) return 0;
  return inTransaction(db, async (tx) => {
    const holding = await lockCoins(tx, name);
    if (holding === undefined || (await isFeeBooked(tx, name, transaction))) return 0;
    const micros = microsBookedFor(holding, units);
    if (!isPlausibleFee(micros, paidMicros)) {
      if (!loggedFees.has(transaction))
        log.error({ gateway: name, transaction, units }, 'network fee is not plausible');
      loggedFees.add(transaction);
      return 0;
    }
    const about = { kind: 'network_fee', reference: transaction, transaction } as const;
    await writeMove(tx, holding, { ...about, units: `-${units}`, micros: -micros }, now());
    const key = `network-fee/${name}/${transaction}`;
    return postResult(tx, { key, reason: 'network_fee', reference: transaction }, -micros);
  });
}

/** Hourly. Without a rate, or with an outlier, nothing is booked; Solvency shows the time of the last valuation. */
async function valueCoins({ db, now, log }: Context, { name, coins }: CoinGateway): Promise<number> {
  const hour = new Date(Math.floor(now().getTime() / HOUR_MS) * HOUR_MS);
  const before = await findCoins(db, name);
  if (before === undefined || (before.valuedAt !== null && before.valuedAt >= hour)) return 0;
  const rate = await coins.getRate();
  return inTransaction(db, async (tx) => {
    const holding = await lockCoins(tx, name);
    if (holding === undefined || (holding.valuedAt !== null && holding.valuedAt >= hour)) return 0;
    const last = { rate: lastRateOf(holding), outlier: holding.outlier };
    if (!isRateAccepted(rate, last, now())) {
      log.error({ gateway: name, asset: holding.asset, rate, last: last.rate }, 'coin rate is doubted');
      if (holding.outlier === null || isFarRate(rate, holding.outlier.rate))
        await updateOutlier(tx, holding, rate, now());
      return 0;
    }
    await updateValued(tx, holding, rate, now());
    const gained = valueOfCoins(holding.units, rate) - holding.bookedMicros;
    if (gained === 0n) return 0;
    const reference = `${holding.asset} ${hour.toISOString().slice(0, 13)}`;
    await writeMove(tx, holding, { kind: 'revaluation', reference, units: '0', micros: gained }, now());
    const key = `gateway/revaluation/${name}/${holding.asset}/${hour.toISOString().slice(0, 13)}`;
    return postResult(tx, { key, reason: 'gateway_revaluation', reference }, gained);
  });
}

/**
 * Opens the holding of a gateway: with the coins that it reports, less unbooked payments and plus unbooked payouts, at
 * the dollars that the ledger has for them (its gateway balance less what the other gateways report). When those imply
 * a rate far from the market, the coins open at market value. Retries later when a report is missing or something was
 * booked meanwhile.
 */
async function openHolding(context: Context, gateway: CoinGateway, all: readonly Gateway[]): Promise<boolean> {
  const { db, now } = context;
  const { name, coins } = gateway;
  const before = await getHouseBalance(db, 'gateway');
  const others = await sumReports(all.filter((one) => one.name !== name));
  const reported = await coins.reportUnits();
  if (others === undefined || reported === undefined) return false;
  const units = addUnits(reported, await sumInTransit(context, gateway));
  const rate = await coins.getRate();
  return inTransaction(db, async (tx) => {
    await execute(tx)`select pg_advisory_xact_lock(hashtextextended('funds.gateway_holding', 0))`;
    if ((await getHouseBalance(tx, 'gateway')) !== before || !(await insertCoins(tx, name, coins.asset))) return false;
    const holding = await lockCoins(tx, name);
    const ledger = { units, bookedMicros: -before - others };
    const booked = bookedRate(ledger);
    const isNear = booked !== null && !isFarRate(rate, booked);
    const micros = isNear ? ledger.bookedMicros : valueOfCoins(units, rate);
    if (holding) await writeMove(tx, holding, { kind: 'opening', reference: 'opening', units, micros }, now());
    return true;
  });
}

async function sumReports(gateways: readonly Gateway[]): Promise<bigint | undefined> {
  let sum = 0n;
  for (const gateway of gateways) {
    const reported = await gateway.reportBalance();
    if (reported === undefined) return undefined;
    sum += reported;
  }
  return sum;
}

/** Coins sent but not yet booked, less those received but not yet booked. */
async function sumInTransit({ db, now }: Context, gateway: CoinGateway): Promise<string> {
  let units = '0';
  const closedAfter = new Date(now().getTime() - gateway.watchedHours * HOUR_MS);
  for (const deposit of await listDepositsWithCoins(db, gateway.name, closedAfter)) {
    const invoice = await gateway.findInvoice(deposit.invoice_id as string, knownOf(deposit));
    if (invoice?.coins === undefined) continue;
    units = addUnits(units, `-${invoice.coins.seen}`);
    if (deposit.booked_micros > 0n) units = addUnits(units, invoice.coins.units);
  }
  const transactions = new Set<string>();
  for (const sent of await listSentPayouts(db, gateway.name)) {
    const payout = await gateway.getPayout(sent.payout_id, orderOf(sent));
    if (!payout?.transaction) continue;
    units = addUnits(units, payout.units ?? '0');
    transactions.add(payout.transaction);
  }
  for (const transaction of transactions)
    units = addUnits(units, (await gateway.coins.findNetworkFee(transaction)) ?? '0');
  return units;
}
