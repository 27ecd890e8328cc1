import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { CLOCK_SKEW_MS } from '#server/db/lease.ts';
import { inTransaction, runWorkers } from '#server/db/tx.ts';
import { Faults } from '#server/faults.ts';
import { type Asset, listAssets, updateListed } from '#server/market/index.ts';
import type { OrderTerms } from '../core/execution/batch-plan.ts';
import { closingStart } from '../core/execution/closing-parts.ts';
import { isPlausible } from '../core/execution/plausible-quote.ts';
import { MAX_BACK_OFF_MS, nextHealth, type VenueOutcome } from '../core/execution/venue-health.ts';
import { isHaltedAt } from '../core/session-events.ts';
import { endHalt, listHaltedAssets, shortenHalts } from '../halts/halt-trading.ts';
import { cancelOverLimits } from '../limits/cancel-over-limits.ts';
import { cancelForbidden, cancelQueued } from '../session/cancel-trades.ts';
import { readSnapshot } from '../session/follow-market.ts';
import { hasQueuedTradesOfPlans } from '../session/opening-sql.ts';
import type { SessionSnapshot } from '../session/session-sql.ts';
import { type Batch, getBatch, listDue, listUnfinished } from './batch-sql.ts';
import { bookBatch } from './book-batch.ts';
import { sellAtClose } from './closing-sale.ts';
import { hasUnsettledSale, listCarriedSales, listOpenSymbols, type SaleKey } from './closing-sale-sql.ts';
import { type CoinSale, endUnlisted, listWaitingSales, planCoinSale } from './coin-sale.ts';
import { followOrder, haltBatch, haltMarket, haltPaused, withdraw } from './follow-order.ts';
import { lockHolding } from './holding-sql.ts';
import { notifyFinanceOfHalts } from './notify-finance.ts';
import { type Market, newClientOrderId, planOrders } from './plan-batch.ts';
import { openVenue } from './venue-ccxt.ts';
import { watchFunds } from './venue-funds.ts';
import { type Venue, type VenueBook, VenueFault } from './venue-port.ts';
import {
  addAnsweredTime,
  claimVenue,
  getAnsweredMs,
  releaseVenueLease,
  updateFreeDollars,
  updateHealth,
  upsertDepth,
  type VenueRow,
} from './venue-state.ts';

/** Without orders, the exchange is probed this often so that the next opening knows whether it is up. */
const PROBE_EVERY_MS = 15_000;
/** How often order book depth is measured, whether or not a book is answered. */
const DEPTH_EVERY_MS = 60_000;
/** What this process remembers between rounds: when it measured, and what was last not answered. */
type Memory = { measuredAt?: Date; readonly unanswered: Set<string> };
const memories = new WeakMap<Db, Memory>();
/** Unfilled trades are cancelled after this much session time in which the exchange answered. */
const CANCEL_UNFILLED_AFTER_MS = 15n * 60_000n;
/** The longest back-off of a halted asset with trades to close, and in the closing sale, which sells a part each minute. */
const CLOSING_RETRY_MS = 30_000;
/** Assets traded concurrently: while one waits for the exchange, others are booked. */
const CONCURRENCY = 4;

const THIS_PROCESS = randomUUID();

/**
 * One round with the exchange (docs/product.md, section 3, "Execution venue"): follows open orders and books their
 * fills, then plans and sends a batch for each asset with trades to open or close. Nothing else trades at an exchange.
 * Does nothing on paper, while another worker holds the lease, or during a back-off.
 */
export async function executeBatches(context: Context, given?: Venue, holder: string = THIS_PROCESS): Promise<void> {
  if (context.config.venue !== 'ccxt') return;
  const now = context.now();
  const row = await claimVenue(context.db, holder, now);
  if (row === undefined || isWaiting(row, now)) return;
  const round = new Round(context, given ?? (await openVenue(context)));
  const outcome = await runRound(context, round, row);
  const askedAt = context.now();
  const health = nextHealth(row, outcome, askedAt);
  await updateHealth(context.db, health, askedAt);
  if (health.state !== row.state)
    context.log.warn({ venue: health.state, reason: health.reason }, 'venue state changed');
  await notifyFinanceOfHalts(context);
  round.failures.throwAny();
}

/** Releases the lease so that another worker can take over at once. Called before the process exits. */
export async function releaseVenue(context: Context, holder: string = THIS_PROCESS): Promise<void> {
  await releaseVenueLease(context.db, holder);
}

/** A later last call was made by a clock that was ahead, and so were the instants until which it waits. */
const isWaiting = ({ waitUntil, askedAt }: VenueRow, now: Date): boolean =>
  waitUntil !== null && now < waitUntil && (askedAt === null || now.getTime() > askedAt.getTime() - CLOCK_SKEW_MS);

async function runRound(context: Context, round: Round, row: VenueRow): Promise<VenueOutcome> {
  try {
    if (await round.probe(row)) await watchFunds(context);
    const snapshot = await readSnapshot(context);
    await round.resume(snapshot);
    await round.trade(snapshot);
    if (snapshot.session.state === 'open') await addAnsweredTime(context.db, context.now());
    return { kind: 'answered' };
  } catch (error) {
    if (!(error instanceof VenueFault)) throw error;
    return readFault(error);
  }
}

const readFault = (fault: VenueFault): VenueOutcome => ({
  kind: 'failed',
  reason: fault.message,
  isCertain: fault.kind === 'unreachable' || fault.kind === 'unauthorised' || isBan(fault),
  retryAfterMs: fault.retryAfterMs,
});

/** A longer retry-after counts as a ban: an opening cannot wait for it. */
const LONG_RETRY_MS = 30_000;
const isBan = ({ retryAfterMs }: VenueFault): boolean => retryAfterMs !== null && retryAfterMs > LONG_RETRY_MS;

/** For `runWorkers`. */
function nextOf<T>(list: readonly T[]): () => Promise<T | undefined> {
  const left = list.values();
  return async () => left.next().value;
}

/** An asset with something to trade. */
type Plan = { readonly symbol: string; readonly plan: (market: Market) => Promise<Batch | undefined> };

class Round {
  /** Errors of ours, each in one asset: they delay no other, and are thrown after the round. */
  readonly failures = new Faults();
  readonly #context: Context;
  readonly #venue: Venue;
  readonly #memory: Memory;
  #terms: ReadonlyMap<string, OrderTerms> = new Map();
  #assets: ReadonlyMap<string, Asset> = new Map();
  /** Halted assets whose back-off has not elapsed. */
  #waiting: readonly string[] = [];

  constructor(context: Context, venue: Venue) {
    this.#context = context;
    this.#venue = venue;
    this.#memory = memories.get(context.db) ?? { unanswered: new Set() };
    memories.set(context.db, this.#memory);
  }

  /**
   * Queries the free balance, and once a minute the depth of every order book, whether or not there is anything to
   * trade.
   *
   * @returns whether the free balance was queried
   */
  async probe({ state, askedAt, freeAt }: VenueRow): Promise<boolean> {
    const { db, now } = this.#context;
    // Also when the clock was set back.
    const isDue = (at: Date | null | undefined, everyMs: number) =>
      !at || Math.abs(now().getTime() - at.getTime()) >= everyMs;
    const isProbeDue = state === 'down' || isDue(askedAt, PROBE_EVERY_MS) || isDue(freeAt, PROBE_EVERY_MS);
    if (isProbeDue) {
      const { free } = await this.#venue.listBalances();
      await updateFreeDollars(db, free.get(this.#venue.dollar) ?? '0', now());
    }
    if (!isDue(this.#memory.measuredAt, DEPTH_EVERY_MS)) return isProbeDue;
    const terms = await this.#venue.listTerms();
    const paused = await this.#venue.listPaused();
    await updateListed(db, [...terms.keys(), ...paused]);
    for (const symbol of paused) await haltPaused(this.#context, symbol);
    const assets = (await listAssets(db)).filter(({ symbol }) => terms.has(symbol));
    // All at once, because orders wait meanwhile, for as long as one book takes that is not answered.
    await runWorkers(nextOf(assets), (asset) => this.#measure(asset), assets.length);
    this.#memory.measuredAt = now();
    return isProbeDue;
  }

  async #measure({ symbol, mark }: Asset): Promise<void> {
    const book = await this.#readBook(symbol);
    // One that cannot be traded has no depth: zero would cancel what waits for it.
    if (book !== undefined && (mark === null || isPlausible({ ...book, mark: mark.price })))
      await upsertDepth(this.#context.db, symbol, { ...book, at: this.#context.now() });
  }

  /** Trades everything due now, asset by asset. */
  async trade(snapshot: SessionSnapshot): Promise<void> {
    const { db } = this.#context;
    const { session, marketAt } = snapshot;
    const isClosing = session.state === 'settling' || marketAt >= closingStart(session.closesAt);
    if (session.state === 'open') await this.#cancel(snapshot, isClosing);
    const carried = session.state === 'scheduled' ? [] : await listCarriedSales(db, session.day);
    const plans = session.state === 'scheduled' ? [] : await this.#listPlans(snapshot, isClosing);
    const within = (ms: number) => new Date(this.#context.now().getTime() + ms);
    await shortenHalts(db, { toClose: within(CLOSING_RETRY_MS), others: within(MAX_BACK_OFF_MS), isClosing });
    const halted = await this.#listTestable();
    const sales = await listWaitingSales(db);
    if (plans.length + carried.length + halted.length + sales.length === 0) return;
    this.#terms = await this.#venue.listTerms();
    this.#assets = new Map((await listAssets(db)).map((asset) => [asset.symbol, asset]));
    await runWorkers(nextOf(plans), ({ symbol, plan }) => this.#tradeAsset(snapshot, symbol, plan), CONCURRENCY);
    for (const sale of carried) await this.#sellCarried(snapshot, sale);
    for (const sale of sales) await this.#sellCoins(snapshot, sale);
    for (const symbol of halted)
      if (!plans.some((one) => one.symbol === symbol) || !this.#terms.has(symbol)) await this.#testHalt(symbol);
  }

  async #sellCoins(snapshot: SessionSnapshot, sale: CoinSale): Promise<void> {
    const { symbol } = sale;
    if (!this.#terms.has(symbol) && !(await this.#venue.listPaused()).includes(symbol))
      return endUnlisted(this.#context, sale);
    await this.#tradeAsset(snapshot, symbol, async (market) => {
      const { free } = await this.#venue.listBalances();
      return planCoinSale(this.#context, snapshot, market, sale, free.get(this.#venue.coinOf(symbol)) ?? '0');
    });
  }

  async #listPlans(snapshot: SessionSnapshot, isClosing: boolean): Promise<Plan[]> {
    const context = this.#context;
    const { session, marketAt, halts } = snapshot;
    if (isClosing)
      return (await listOpenSymbols(context.db)).map((symbol) => ({
        symbol,
        plan: (market) => sellAtClose(context, snapshot, session, market),
      }));
    const mayOpen = !isHaltedAt(halts, marketAt);
    return (await listDue(context.db, marketAt)).map(({ symbol, ids }) => ({
      symbol,
      plan: (market) => planOrders(context, snapshot, market, { ids, mayOpen }),
    }));
  }

  /** Cancels trades that may no longer open, before anything is ordered for them. */
  async #cancel(snapshot: SessionSnapshot, isClosing: boolean): Promise<void> {
    const { db } = this.#context;
    const inactive = (await listAssets(db)).filter(({ active }) => !active).map(({ symbol }) => symbol);
    await cancelForbidden(this.#context, snapshot, inactive);
    await cancelOverLimits(this.#context, snapshot);
    if (isClosing && (await hasQueuedTradesOfPlans(db)))
      await cancelQueued(this.#context, snapshot, { planDecidedBefore: snapshot.session.closesAt });
    const triedBeforeMs = (await getAnsweredMs(db)) - CANCEL_UNFILLED_AFTER_MS;
    if (triedBeforeMs >= 0n) await cancelQueued(this.#context, snapshot, { triedBeforeMs });
  }

  #tradeAsset(snapshot: SessionSnapshot, symbol: string, plan: Plan['plan']): Promise<void> {
    return this.#apart(async () => {
      if (this.#waiting.includes(symbol)) return;
      const market = await this.#readMarket(symbol);
      if (market === undefined) return;
      if (await hasUnsettledSale(this.#context.db, symbol)) return;
      const batch = await plan(market);
      if (batch !== undefined) await this.#finish(snapshot, batch);
    });
  }

  #apart(work: () => Promise<void>): Promise<void> {
    return this.failures.keep(work, VenueFault);
  }

  /** Best prices and terms of an asset; undefined while it cannot be traded. An implausible order book halts it. */
  async #readMarket(symbol: string): Promise<Market | undefined> {
    const [terms, asset] = [this.#terms.get(symbol), this.#assets.get(symbol)];
    if (terms === undefined || asset === undefined || asset.mark === null) return undefined;
    const wasUnanswered = this.#memory.unanswered.has(symbol);
    const book = await this.#readBook(symbol);
    // One slow answer means nothing.
    if (!wasUnanswered && this.#memory.unanswered.has(symbol)) return undefined;
    const quote = book && { bid: book.bid, ask: book.ask, mark: asset.mark.price };
    if (quote !== undefined && isPlausible(quote)) return { symbol, quote, terms, spreadBps: asset.spreadBps };
    const found = quote ? `${quote.bid} to ${quote.ask}, the mark is ${quote.mark}` : 'there is none';
    await haltMarket(this.#context, symbol, `The order book of ${symbol.toUpperCase()} cannot be traded: ${found}.`);
    return undefined;
  }

  /**
   * Undefined also when it is unreadable, when the exchange answers all but this or, with terms refreshed, when it has
   * delisted the asset meanwhile.
   */
  async #readBook(symbol: string): Promise<VenueBook | undefined> {
    const { unanswered } = this.#memory;
    try {
      const book = await this.#venue.readBook(symbol, this.#context.config.maxSlippage);
      unanswered.delete(symbol);
      return book;
    } catch (error) {
      const { kind } = error instanceof VenueFault ? error : { kind: undefined };
      if (kind === 'unknown') unanswered.add(symbol);
      if (kind === 'refused') this.#venue.forgetTerms();
      else if (kind === 'unknown') await this.#venue.listBalances();
      else if (kind !== 'unreadable') throw error;
      return undefined;
    }
  }

  async #sellCarried(snapshot: SessionSnapshot, { day, symbol }: SaleKey): Promise<void> {
    const closesAt = new Date(`${day}T${snapshot.session.closesAt.toISOString().slice(11)}`);
    await this.#tradeAsset(snapshot, symbol, (market) =>
      sellAtClose(this.#context, snapshot, { day, closesAt }, market),
    );
  }

  /**
   * Resumes the batches of earlier rounds. One that a crash left planned was certainly not sent: its trades join the
   * next batch at current prices, unless they were cancelled meanwhile. A sale of house coins keeps its batch, because
   * operators set its limit.
   */
  async resume(snapshot: SessionSnapshot): Promise<void> {
    const isUnsent = ({ state, sends, kind }: Batch) => state === 'planned' && sends === 0 && kind !== 'house';
    if (this.#memory.unanswered.size > 0) await this.#listTestable();
    const batches = await listUnfinished(this.#context.db);
    await runWorkers(
      nextOf(batches),
      (batch) =>
        this.#apart(() =>
          isUnsent(batch) ? withdraw(this.#context, batch, 'The order was never sent.') : this.#finish(snapshot, batch),
        ),
      CONCURRENCY,
    );
  }

  /** Advances a batch as far as possible: to the exchange, and into the ledger once it is filled. */
  async #finish(snapshot: SessionSnapshot, batch: Batch): Promise<void> {
    const { db } = this.#context;
    if (batch.state !== 'filled') await this.#follow(batch);
    const now = await getBatch(db, batch.id);
    // Sales of house coins are booked together with the gateways' coins.
    if (now.state === 'filled' && now.kind !== 'house')
      await bookBatch(this.#context, snapshot.session, now, snapshot.chunkSize);
  }

  /**
   * Follows an order. When the exchange answers twice about orders, but not about this one, its asset is halted, and it
   * waits likewise.
   */
  async #follow(batch: Batch): Promise<void> {
    const { unanswered } = this.#memory;
    const order = `order ${batch.symbol}`;
    const wasUnanswered = unanswered.has(order);
    if (wasUnanswered && this.#waiting.includes(batch.symbol)) return;
    try {
      await followOrder(this.#context, this.#venue, batch);
      unanswered.delete(order);
    } catch (error) {
      if (!(error instanceof VenueFault) || error.kind !== 'unknown') throw error;
      unanswered.add(order);
      await this.#askAboutOthers(error);
      if (wasUnanswered) await haltBatch(this.#context, batch, 'The exchange does not answer about its order.');
    }
  }

  /** Asks about an order in another asset; it need not exist. Throws when that is not answered either. */
  async #askAboutOthers(unanswered: VenueFault): Promise<void> {
    const terms = await this.#venue.listTerms();
    const answered = [...terms.keys()].filter((symbol) => !this.#memory.unanswered.has(`order ${symbol}`));
    const followed = new Set((await listUnfinished(this.#context.db)).map(({ symbol }) => symbol));
    // An order that is followed at the same time may not be answered either.
    const other = answered.find((symbol) => !followed.has(symbol)) ?? answered[0];
    if (other === undefined) throw unanswered;
    try {
      await this.#venue.findOrder(other, newClientOrderId());
    } catch (error) {
      // One about an asset that was delisted meanwhile is an answer.
      if (!(error instanceof VenueFault) || error.kind !== 'refused') throw error;
    }
  }

  /** Halted assets whose back-off has elapsed. */
  async #listTestable(): Promise<string[]> {
    const now = this.#context.now();
    const halted = await listHaltedAssets(this.#context.db);
    this.#waiting = halted.filter(({ retryAt }) => retryAt !== null && retryAt > now).map(({ symbol }) => symbol);
    return halted.map(({ symbol }) => symbol).filter((symbol) => !this.#waiting.includes(symbol));
  }

  /** No queued trade can test the exchange: the halt ends once the asset trades and free funds cover an order. */
  async #testHalt(symbol: string): Promise<void> {
    if (!this.#terms.has(symbol) && (await this.#venue.listPaused()).includes(symbol)) {
      this.#venue.forgetTerms();
      this.#terms = await this.#venue.listTerms();
      if (!this.#terms.has(symbol)) return haltPaused(this.#context, symbol, true);
    }
    const terms = this.#terms.get(symbol);
    if (terms === undefined) return;
    const { free } = await this.#venue.listBalances();
    if (Number(free.get(this.#venue.dollar) ?? 0) <= Number(terms.minNotional)) return;
    await inTransaction(this.#context.db, async (tx) => {
      const { retryAt } = await lockHolding(tx, symbol);
      // A sale that waits for a tradable order book may have halted it again in this round.
      if (retryAt === null || retryAt <= this.#context.now()) await endHalt(tx, symbol);
    });
  }
}
