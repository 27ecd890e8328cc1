import { expect, test } from 'vitest';
import { cancelReasons, closeCauses, closeReasons } from '#contract/trading/trade.ts';
import { noStops } from './stops/stops.ts';
import { type TradeLife, tradeEvents } from './trade-events.ts';

const at = (time: string) => new Date(`2026-03-04T${time}Z`);
const placed: TradeLife = {
  requestedAt: at('12:00:00'),
  openedAt: null,
  stopsSince: null,
  stops: noStops,
  closeRequestedAt: null,
  closeCause: null,
  closedAt: null,
  closeReason: null,
  isSoldAtLevel: false,
  cancelledAt: null,
  cancelReason: null,
  isOfPlan: false,
  isAtExchange: false,
};
const open: TradeLife = { ...placed, openedAt: at('12:30:00') };
const kinds = (life: TradeLife) => tradeEvents(life).map(({ kind }) => kind);

test('a queued trade was placed, and nothing else happened', () => {
  expect(kinds(placed)).toEqual(['placed']);
});

test('a stopped trade: placed, opened, triggered, sold, in this order', () => {
  const stopped: TradeLife = {
    ...open,
    stopsSince: at('12:30:00'),
    stops: { ...noStops, stopLoss: 20 },
    closeRequestedAt: at('14:00:15'),
    closeCause: 'stop_loss',
    closedAt: at('14:00:30'),
    closeReason: 'stop_loss',
  };
  expect(kinds(stopped)).toEqual(['placed', 'opened', 'close_asked', 'closed']);
});

test('a change of stops on an open trade is an event of its own, with the new stops', () => {
  const changed: TradeLife = {
    ...open,
    stopsSince: at('13:00:00'),
    stops: { stopLoss: 25, takeProfit: null, trailingStop: 10 },
  };
  expect(tradeEvents(changed).at(-1)).toMatchObject({
    kind: 'stops_set',
    words: 'Stops changed: stop-loss 2.5%, trailing stop 1%.',
  });
});

test('each outcome has words of its own', () => {
  for (const closeReason of closeReasons) {
    const last = tradeEvents({ ...open, closedAt: at('17:30:00'), closeReason }).at(-1);
    expect(last?.words).toMatch(/sold/i);
  }
  const cancelled = cancelReasons.map(
    (cancelReason) => tradeEvents({ ...placed, cancelledAt: at('12:10:00'), cancelReason }).at(-1)?.words,
  );
  expect(new Set(cancelled).size).toBe(cancelReasons.length);
  const asked = closeCauses.map(
    (closeCause) => tradeEvents({ ...open, closeRequestedAt: at('13:00:00'), closeCause }).at(-1)?.words,
  );
  expect(new Set(asked).size).toBe(closeCauses.length);
});

test('at an exchange a close says nothing of how many parts were sold: small ones are joined', () => {
  const closed: TradeLife = { ...open, isAtExchange: true, closedAt: at('17:30:00'), closeReason: 'session_close' };
  expect(tradeEvents(closed).at(-1)?.words).toBe(
    'The session closed. Sold in parts, at the average of what the exchange filled.',
  );
});

test('a plan is named if it placed the trade', () => {
  expect(tradeEvents({ ...placed, isOfPlan: true })[0]?.words).toBe('Placed by your plan.');
});
