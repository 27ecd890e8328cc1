import { describe, expect, test } from 'vitest';
import { nothingPlayed, type PlayState } from './play-candles.ts';
import { playQuotes, type Quote } from './play-quotes.ts';

const at = (time: string) => Date.parse(`2026-03-04T${time}Z`);
const quote = (time: string, price: number, dayVolume: number | null = null): Quote => ({
  symbol: 'btc',
  price,
  atMs: at(time),
  dayVolume,
});
const play = (state: PlayState, quotes: Quote[], from: string, to: string) =>
  playQuotes(state, quotes, { stepSeconds: 60, fromMs: at(from), toMs: at(to) });
/** A market at 100 since 12:00:40, with the minute of 12:00 still forming. */
const running = play(nothingPlayed, [quote('12:00:40', 100)], '12:00:39', '12:00:58').state;

describe('a quote', () => {
  test('with the current time is a tick at its own time', () => {
    const played = play(running, [quote('12:00:59', 101)], '12:00:58', '12:01:00');
    expect(played.ticks).toEqual([{ price: 101, atMs: at('12:00:59'), quotedAtMs: at('12:00:59') }]);
    expect(played.state.mark).toEqual({ price: 101, atMs: at('12:00:59'), outlier: null });
  });

  test('that arrives late is a tick at the next instant, and keeps its own time', () => {
    const played = play(running, [quote('12:00:50', 104)], '12:00:58', '12:01:03');
    expect(played.ticks).toEqual([{ price: 104, atMs: at('12:00:58.001'), quotedAtMs: at('12:00:50') }]);
    expect(played.state.mark).toMatchObject({ price: 104, atMs: at('12:00:50') });
    expect(played.closed).toEqual([{ atMs: at('12:00:00'), open: 100, high: 104, low: 100, close: 104 }]);
    expect(played.state.forming).toBeNull();
  });

  test('dated in the future counts as current', () => {
    const played = play(running, [quote('13:00:00', 101)], '12:00:58', '12:01:03');
    expect(played.ticks).toEqual([{ price: 101, atMs: at('12:01:03'), quotedAtMs: at('12:01:03') }]);
    expect(played.state.mark.atMs).toBe(at('12:01:03'));
  });

  test('that repeats the last one is ignored, and nothing is refused', () => {
    expect(play(running, [quote('12:00:40', 100)], '12:00:58', '12:01:03')).toMatchObject({ ticks: [], refused: [] });
  });

  test.each([
    ['older than the last', quote('12:00:39', 101), 'out_of_order'],
    ['that is infinite', quote('12:00:59', Number.POSITIVE_INFINITY), 'not_a_price'],
    ['more than half away from the last', quote('12:00:59', 151), 'absurd'],
  ])('%s is refused and changes nothing', (_, wrong, refusal) => {
    const played = play(running, [wrong], '12:00:58', '12:00:59.5');
    expect(played).toMatchObject({ ticks: [], closed: [], refused: [{ refusal, atMs: wrong.atMs }] });
    expect(played.state).toEqual({ ...running, mark: { ...running.mark, outlier: refusal === 'absurd' ? 151 : null } });
    expect(played.dayVolume).toBeUndefined();
  });

  test('that has already expired is refused, even as a first price', () => {
    const old = play(nothingPlayed, [quote('11:57:44.999', 100)], '12:00:58', '12:01:00');
    expect(old).toMatchObject({ ticks: [], refused: [{ refusal: 'out_of_date' }], state: nothingPlayed });
    expect(play(nothingPlayed, [quote('11:57:45', 100)], '12:00:58', '12:01:00').ticks).toHaveLength(1);
  });

  test('confirms an absurd one if it is a new one, not the same again', () => {
    const doubting = play(running, [quote('12:00:59', 151)], '12:00:58', '12:01:03').state;
    expect(play(doubting, [quote('12:01:04', 160)], '12:01:03', '12:01:05').state.mark.price).toBe(160);
    expect(play(doubting, [quote('12:01:04', 102)], '12:01:03', '12:01:05').state.mark).toMatchObject({
      price: 102,
      outlier: null,
    });
  });

  test('carries the 24-hour volume, or null if it is unknown', () => {
    expect(play(running, [quote('12:00:59', 101, 5)], '12:00:58', '12:01:00').dayVolume).toBe(5);
    expect(play(running, [quote('12:00:59', 101)], '12:00:58', '12:01:00').dayVolume).toBeNull();
  });
});

test('quotes that arrive together keep their order, each at an instant of its own', () => {
  const quotes = [quote('12:00:45', 101), quote('12:00:50', 102), quote('12:01:01', 103)];
  const played = play(running, quotes, '12:00:58', '12:01:03');
  expect(played.ticks.map((tick) => tick.atMs)).toEqual([at('12:00:58.001'), at('12:00:58.002'), at('12:01:01')]);
  expect(played.closed).toEqual([{ atMs: at('12:00:00'), open: 100, high: 102, low: 100, close: 102 }]);
  expect(played.state.forming).toMatchObject({ atMs: at('12:01:00'), open: 103 });
});

test('a minute without a tick has no candle', () => {
  const played = play(running, [quote('12:05:10', 105)], '12:00:58', '12:06:30');
  expect(played.closed.map((candle) => candle.atMs)).toEqual([at('12:00:00'), at('12:05:00')]);
  expect(play(played.state, [], '12:06:30', '12:09:00')).toMatchObject({ ticks: [], closed: [], state: played.state });
});
