import type { Decimal } from 'decimal.js';
import { expect, test } from 'vitest';
import { dice } from '#test/kit/dice.ts';
import { runs } from '#test/kit/property-runs.ts';
import { Exact, floorMicros, MICROS } from '../price.ts';
import { tradeFee } from '../settlement.ts';
import { decideBatch, type Filled, nothingFilled } from './batch-outcome.ts';
import { type BatchOrder, MAX_RESIDUAL_MICROS, type OrderTerms, planBatch, type Quote } from './batch-plan.ts';
import { checkFills } from './check-fills.ts';
import { applyMoves, type HoldingState, type MemberPositions, residualOf } from './holding-state.ts';
import { openedAmount } from './opened-amount.ts';

/**
 * Random sessions of one asset, calculated a second time beside the code that plans, prices and books: prices move,
 * books are thin, orders are partly filled, rejected or never answered, fees are taken in dollars or coins. Without
 * the database and the exchange’s protocol: exchange-session.pg.test.ts has both, and crashes.
 */
const TRADE_BPS = 40;
const SLIPPAGE = '0.003';
const allTerms: Omit<OrderTerms, 'isFeeInCoin'> = {
  stepSize: '0.0001',
  tickSize: '0.01',
  minQuantity: '0.0001',
  maxQuantity: '500',
  minNotional: '10',
  maxNotional: null,
  takerFee: '0.001',
};

type Position = { net: bigint; coins: Decimal; sold: Decimal; soldCash: Decimal; closing: boolean };

class Session {
  readonly #roll: (sides: number) => number;
  #price = 100;
  #queued: bigint[] = [];
  #open: Position[] = [];
  #members = { quantity: new Exact(0), cash: 0n };
  #books: HoldingState = { held: '0', membersCash: 0n, venueCash: '0', result: 0n };
  readonly exchange = { coins: new Exact(0), dollars: new Exact(0) };
  /** What the house’s residual may have lost: by price moves, and by being traded. */
  #bearable = new Exact(0);
  #mid = new Exact(100);

  /** Half of the sessions have no markup to cover the losses of residuals. */
  readonly #spreadBps: number;

  constructor(seed: number) {
    this.#roll = dice(seed + 1);
    this.#spreadBps = seed % 2 === 0 ? 10 : 0;
  }

  play(): void {
    const roll = this.#roll;
    for (let instant = 0; instant < 12; instant += 1) {
      this.#price *= 1 + (roll(401) - 200) / 40_000;
      for (let count = roll(4); count > 0; count -= 1) this.#queued.push(BigInt(5_000_000 + roll(3_000_000_000)));
      for (const position of this.#open) if (roll(5) === 0) position.closing = true;
      this.#batch();
      this.#check();
    }
    for (const position of this.#open) position.closing = true;
    this.#queued = [];
    for (let attempt = 0; attempt < 60 && this.#open.length > 0; attempt += 1) this.#batch(attempt > 20);
    this.#check();
    expect(this.#open).toEqual([]);
  }

  #batch(isCalm = false): void {
    const roll = this.#roll;
    const quote = this.#quote();
    const mid = new Exact(quote.bid).plus(quote.ask).div(2);
    const residual = residualOf(this.#books.held, this.#membersBooks());
    this.#bearable = this.#bearable.plus(new Exact(residual).times(mid.minus(this.#mid)).abs());
    this.#mid = mid;
    const closing = this.#open.filter((position) => position.closing);
    const wanted = {
      buyMicros: this.#queued.reduce((sum, amount) => sum + amount - tradeFee(amount, TRADE_BPS), 0n),
      sellCoins: closing.reduce((sum, { coins, sold }) => sum.plus(coins).minus(sold), new Exact(0)).toFixed(),
      residual,
    };
    if (wanted.buyMicros === 0n && Number(wanted.sellCoins) === 0) return;
    // Where the last fee was taken, which may differ from where it is taken now.
    const terms = { ...allTerms, isFeeInCoin: roll(2) === 0 };
    const plan = planBatch(wanted, quote, terms, { spreadBps: this.#spreadBps, maxSlippage: SLIPPAGE });
    if (plan === undefined) return;
    // Rejected, or never arrived: nothing happened, and all of it waits.
    if (plan.order !== null && !isCalm && roll(6) === 0) return;
    const filled = plan.order === null ? nothingFilled : this.#fill(plan.order, quote, isCalm);
    const outcome = decideBatch(wanted, plan, filled, { quote, terms, spreadBps: this.#spreadBps });
    if (outcome.buy !== null) this.#openAll(outcome.buy.price, outcome.openMicros);
    if (outcome.sell !== null) this.#sellAll(closing, outcome.sell, outcome.sellCoins);
    const sign = plan.order?.side === 'sell' ? -1 : 1;
    const moved = {
      coins: new Exact(filled.coins).times(sign).toFixed(),
      dollars: new Exact(filled.dollars).times(-sign).toFixed(),
    };
    this.exchange.coins = this.exchange.coins.plus(moved.coins);
    this.exchange.dollars = this.exchange.dollars.plus(moved.dollars);
    this.#books = applyMoves(this.#books, moved, this.#membersBooks(), mid.toFixed());
    const after = residualOf(this.#books.held, this.#membersBooks());
    // The residual is traded or left: at most the slippage and the fee away from the mid.
    const traded = new Exact(residual).abs().plus(new Exact(after).abs()).times(mid);
    this.#bearable = this.#bearable.plus(traded.times('0.006'));
    if (new Exact(after).abs().times(mid).times(MICROS).gt(MAX_RESIDUAL_MICROS.toString()))
      expect(new Exact(after).abs().lte(new Exact(residual).abs().plus('0.0002'))).toBe(true);
  }

  #quote(): Quote {
    const half = (1 + this.#roll(8)) / 10_000;
    return {
      bid: (this.#price * (1 - half)).toFixed(2),
      ask: (this.#price * (1 + half)).toFixed(2),
      mark: this.#price.toFixed(2),
    };
  }

  /** Within the limit, in a book that may be too thin. */
  #fill(order: BatchOrder, quote: Quote, isCalm: boolean): Filled {
    const roll = this.#roll;
    const best = new Exact(order.side === 'buy' ? quote.ask : quote.bid);
    const isBeyond = order.side === 'buy' ? best.gt(order.limitPrice) : best.lt(order.limitPrice);
    if (isBeyond) return nothingFilled;
    const share = isCalm || roll(3) > 0 ? 1 : roll(100) / 100;
    const quantity = new Exact(order.quantity).times(share).div(allTerms.stepSize).floor().times(allTerms.stepSize);
    if (quantity.isZero()) return nothingFilled;
    const price = best.plus(new Exact(order.limitPrice).minus(best).times(roll(100)).div(100));
    const cost = quantity.times(price).toDecimalPlaces(8);
    const isInCoin = order.side === 'buy' && roll(2) === 0;
    const fee = (isInCoin ? quantity : cost).times('0.001').toDecimalPlaces(8);
    const made = checkFills(
      order,
      [
        {
          tradeId: '1',
          quantity: quantity.toFixed(),
          cost: cost.toFixed(),
          feeQuantity: fee.toFixed(),
          feeCoin: isInCoin ? 'COIN' : 'USD',
          feePrice: null,
          filledAt: new Date(0),
        },
      ],
      { coin: 'COIN', dollar: 'USD' },
      quote.mark,
    );
    if ('fault' in made) throw new Error(made.fault);
    return made.filled;
  }

  /** In placing order; the last one is filled in part, if that part is at least five dollars. */
  #openAll(price: string, reach: bigint | null): void {
    let left = reach;
    const waiting: bigint[] = [];
    for (const amount of this.#queued) {
      const net = amount - tradeFee(amount, TRADE_BPS);
      if (left === null || net <= left) {
        this.#openOne(net, price);
        if (left !== null) left -= net;
        continue;
      }
      const part = left > 0n ? openedAmount(left, TRADE_BPS) : 0n;
      if (part >= 5_000_000n) this.#openOne(part - tradeFee(part, TRADE_BPS), price);
      else waiting.push(amount);
      left = 0n;
    }
    this.#queued = waiting;
  }

  #openOne(net: bigint, price: string): void {
    const coins = new Exact(net.toString()).div(MICROS).div(price).toDecimalPlaces(12);
    this.#members = { quantity: this.#members.quantity.plus(coins), cash: this.#members.cash - net };
    this.#open.push({ net, coins, sold: new Exact(0), soldCash: new Exact(0), closing: false });
  }

  #sellAll(closing: readonly Position[], sell: { net: string; price: string }, reach: string | null): void {
    let left = reach === null ? null : new Exact(reach);
    for (const position of closing) {
      const needed = position.coins.minus(position.sold);
      if (left !== null && needed.gt(left)) {
        position.sold = position.sold.plus(left);
        position.soldCash = position.soldCash.plus(left.times(sell.price));
        left = new Exact(0);
        continue;
      }
      const proceeds = floorMicros(position.soldCash.plus(needed.times(sell.price)));
      this.#members = { quantity: this.#members.quantity.minus(position.coins), cash: this.#members.cash + proceeds };
      this.#open = this.#open.filter((one) => one !== position);
      if (left !== null) left = left.minus(needed);
    }
  }

  #membersBooks(): MemberPositions {
    return {
      quantity: this.#members.quantity.toFixed(),
      cash: this.#members.cash,
      soldCoins: this.#open.reduce((sum, { sold }) => sum.plus(sold), new Exact(0)).toFixed(),
      soldCash: floorMicros(this.#open.reduce((sum, { soldCash }) => sum.plus(soldCash), new Exact(0))),
    };
  }

  #check(): void {
    const members = this.#membersBooks();
    // Every coin of an open position is at the exchange, or is covered by the house’s residual.
    const held = new Exact(this.#books.held);
    expect(held.eq(this.exchange.coins)).toBe(true);
    const lacking = new Exact(residualOf(this.#books.held, members)).neg().times(this.#mid).times(MICROS);
    expect(lacking.lte(new Exact(MAX_RESIDUAL_MICROS.toString()).times('1.05'))).toBe(true);
    // The dollars at the exchange are what members paid and received, plus the house’s own.
    expect(floorMicros(this.exchange.dollars)).toBe(this.#books.membersCash + this.#books.result);
    const lost = floorMicros(this.#bearable) + 100n;
    expect(this.#books.result).toBeGreaterThanOrEqual(-lost);
  }
}

test('in any session the surplus falls by at most the losses of residuals, and every position is backed by coins', () => {
  for (let seed = 0; seed < runs(1000); seed += 1) new Session(seed).play();
});
