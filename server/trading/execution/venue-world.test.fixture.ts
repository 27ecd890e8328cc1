import { afterEach, beforeEach, expect } from 'vitest';
import type { Context } from '#server/context.ts';
import { type FakeExchange, startExchange } from '#test/fake-servers/exchange.ts';
import type { ExchangePair } from '#test/fake-servers/exchange-market.ts';
import { testClock } from '#test/worlds/builders.ts';
import { openTestVenue } from '#test/worlds/exchange-world.ts';
import type { OrderRequest, Venue, VenueFault } from './venue-port.ts';

/**
 * What every exchange does through the port, whatever its protocol. Another exchange is one more protocol in
 * `test/fake-servers/exchange.ts` and one more entry here, and passes the same cases.
 */
export type Expected = {
  readonly dollar: string;
  readonly takerFee: string;
  readonly maxNotional: string | null;
  /** Where fees may be taken: Kraken is asked to take them in dollars. */
  readonly feeCoins: readonly ('received' | 'dollar' | 'BNB')[];
  /** How long it is left alone after a rate limit. */
  readonly retryAfterMs: number;
};

export const expected: Readonly<Record<string, Expected>> = {
  binance: {
    dollar: 'USDT',
    takerFee: '0.001',
    maxNotional: '9000000.00000000',
    feeCoins: ['received', 'dollar', 'BNB'],
    retryAfterMs: 7000,
  },
  kraken: { dollar: 'USD', takerFee: '0.004', maxNotional: null, feeCoins: ['dollar'], retryAfterMs: 5000 },
  okx: {
    dollar: 'USDT',
    takerFee: '0.0015',
    maxNotional: '20000000',
    feeCoins: ['received', 'dollar', 'BNB'],
    retryAfterMs: 2000,
  },
};

const START = '2026-03-04T13:00:00.000Z';
let orders = 0;

/** A fake exchange with 100 000 dollars, one Bitcoin and ten BNB, and a venue on it; a new one for each test. */
export class VenueWorld {
  readonly its: Expected;
  readonly #id: string;
  node!: FakeExchange;
  venue!: Venue;
  clock = testClock(START);

  constructor(id: string) {
    this.#id = id;
    this.its = expected[id] as Expected;
    beforeEach(() => this.#open());
    afterEach(() => this.node.close());
  }

  get context(): Context {
    return { now: this.clock.now } as Context;
  }

  async #open(): Promise<void> {
    this.node = await startExchange({ [this.its.dollar]: '100000', BTC: '1', BNB: '10' }, this.#id);
    this.clock = testClock(START);
    this.node.market.now = () => this.clock.now().getTime();
    this.venue = await openTestVenue(this.context, this.node);
  }

  /** Another process with the same key. */
  async restart(): Promise<void> {
    this.clock.advance(1);
    this.venue = await openTestVenue(this.context, this.node);
  }

  pair(symbol = 'btc'): ExchangePair {
    return this.node.market.pairs.get(this.node.nameOf(symbol)) as ExchangePair;
  }

  nextId(): string {
    orders += 1;
    return orders.toString(16).padStart(32, 'a');
  }

  ask(order: Partial<OrderRequest> = {}): OrderRequest {
    const sentAt = this.clock.now();
    const whole = { symbol: 'btc', side: 'buy', quantity: '0.3', limitPrice: '60180', sentAt } as const;
    return { ...whole, clientOrderId: this.nextId(), ...order };
  }

  plan(call: keyof FakeExchange['calls'], interference: FakeExchange['interferences'][number]['with']): void {
    this.node.interferences.push({ call: this.node.calls[call], with: interference });
  }

  /** The filled quantity of an order according to the exchange; undefined for an unknown order. */
  async filledOf({ symbol, clientOrderId }: OrderRequest): Promise<number | undefined> {
    const order = await this.venue.findOrder(symbol, clientOrderId);
    return order && Number(order.filled);
  }
}

/** The fault that a call is refused with. */
export const faultOf = (call: Promise<unknown>): Promise<VenueFault> =>
  call.then(
    (value) => expect.unreachable(`answered ${JSON.stringify(value)}`),
    (fault: VenueFault) => fault,
  );
