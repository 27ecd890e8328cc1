import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeLimits,
  describeChange,
  findLoosened,
  type LimitChange,
  type LimitMicros,
  limitsAt,
  noOwnLimits,
  type OwnLimits,
  refuseChange,
} from './own-limits.ts';

const noon = new Date('2026-03-04T12:00:00Z');
const hoursOn = (hours: number, from = noon) => new Date(from.getTime() + hours * 3_600_000);
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;
const limit = (dollars: number | null, next: [number | null, Date] | null = null) => ({
  micros: dollars === null ? null : usd(dollars),
  next: next && { micros: next[0] === null ? null : usd(next[0]), at: next[1] },
});
const deposits = (dollars: number | null, next: [number | null, Date] | null = null): OwnLimits => ({
  ...noOwnLimits,
  depositWeek: limit(dollars, next),
});

describe('a limit requested at noon', () => {
  const tomorrow = hoursOn(24);
  const earlier = hoursOn(20);
  test.each([
    // stricter limits apply at once
    ['the first one', deposits(null), 100, deposits(100)],
    ['a lower one', deposits(500), 100, deposits(100)],
    ['the same', deposits(500), 500, deposits(500)],
    ['a lower one cancels the pending one', deposits(500, [900, earlier]), 400, deposits(400)],
    ['the one in force cancels the pending one', deposits(500, [900, earlier]), 500, deposits(500)],
    ['the one in force cancels the pending removal', deposits(500, [null, earlier]), 500, deposits(500)],
    // relaxed limits apply in 24 hours
    ['a higher one', deposits(100), 500, deposits(100, [500, tomorrow])],
    ['removal', deposits(100), null, deposits(100, [null, tomorrow])],
    ['more than the pending one', deposits(100, [500, earlier]), 900, deposits(100, [900, tomorrow])],
    ['removal, when a higher one is pending', deposits(100, [500, earlier]), null, deposits(100, [null, tomorrow])],
    // pending limits keep their time
    ['the pending one, again', deposits(100, [500, earlier]), 500, deposits(100, [500, earlier])],
    ['the pending removal, again', deposits(100, [null, earlier]), null, deposits(100, [null, earlier])],
    ['less than the pending one', deposits(100, [500, earlier]), 300, deposits(100, [300, earlier])],
    ['less than a pending removal', deposits(100, [null, earlier]), 300, deposits(100, [300, earlier])],
    // no change
    ['removal where there is none', deposits(null), null, deposits(null)],
  ])('%s', (_what, before, dollars, expected) => {
    const depositWeekMicros = dollars === null ? null : usd(dollars);
    expect(changeLimits(before, { depositWeekMicros }, noon)).toEqual(expected);
    // the same for the other limit, which is independent of the first
    const lossDay = changeLimits(
      { ...noOwnLimits, lossDay: before.depositWeek },
      { lossDayMicros: depositWeekMicros },
      noon,
    );
    expect(lossDay).toEqual({ ...noOwnLimits, lossDay: expected.depositWeek });
  });

  test('omitted limits stay', () => {
    const before = { ...deposits(100, [500, earlier]), lossDay: limit(50), pausedUntil: hoursOn(48) };
    expect(changeLimits(before, {}, noon)).toEqual(before);
  });

  test('its 24 hours end on a full minute, never early', () => {
    const late = new Date('2026-03-04T12:00:00.001Z');
    expect(changeLimits(deposits(100), { depositWeekMicros: usd(500) }, late)).toEqual(
      deposits(100, [500, new Date('2026-03-05T12:01:00Z')]),
    );
  });
});

describe('as time goes by', () => {
  test('a pending limit is in force from its minute on', () => {
    const waiting = deposits(100, [500, hoursOn(24)]);
    expect(limitsAt(waiting, new Date(hoursOn(24).getTime() - 1))).toEqual(waiting);
    expect(limitsAt(waiting, hoursOn(24))).toEqual(deposits(500));
    expect(limitsAt(deposits(100, [null, hoursOn(24)]), hoursOn(24))).toEqual(noOwnLimits);
  });

  test('a pause ends at its minute', () => {
    const paused = { ...noOwnLimits, pausedUntil: hoursOn(24) };
    expect(limitsAt(paused, new Date(hoursOn(24).getTime() - 1))).toEqual(paused);
    expect(limitsAt(paused, hoursOn(24))).toEqual(noOwnLimits);
  });
});

describe('a pause', () => {
  const paused = { ...noOwnLimits, pausedUntil: hoursOn(72) };
  test.each([
    ['the first', noOwnLimits, 1, undefined],
    ['a longer one', paused, 4, undefined],
    ['the same one again', paused, 3, undefined],
    ['a shorter one', paused, 2, 'pause_shortened'],
  ])('%s', (_what, before, pauseDays, refusal) => {
    expect(refuseChange(before, { pauseDays }, noon)).toBe(refusal);
    if (refusal === undefined) {
      expect(changeLimits(before, { pauseDays }, noon).pausedUntil).toEqual(hoursOn(24 * pauseDays));
    }
  });

  test('does not affect other changes', () => {
    expect(refuseChange(paused, { depositWeekMicros: usd(100) }, noon)).toBeUndefined();
  });
});

describe('someone other than the member', () => {
  const limits: OwnLimits = { ...deposits(100, [500, hoursOn(3)]), lossDay: limit(20) };
  test.each<[string, LimitChange, ReturnType<typeof findLoosened>]>([
    ['may set a lower limit', { depositWeekMicros: usd(99), lossDayMicros: usd(1) }, undefined],
    ['may cancel a pending limit', { depositWeekMicros: usd(100) }, undefined],
    ['may pause', { pauseDays: 90 }, undefined],
    ['may not set a higher one', { depositWeekMicros: usd(101) }, 'deposit_week'],
    ['may not remove one', { lossDayMicros: null }, 'loss_day'],
  ])('%s', (_what, change, loosened) => {
    expect(findLoosened(limits, change)).toBe(loosened);
    if (loosened !== undefined) expect(findLoosened(noOwnLimits, change)).toBeUndefined();
  });
});

describe('whatever is requested, and however often', () => {
  const micros = fc.option(fc.integer({ min: 1, max: 9 }).map(usd), { nil: null });
  const change: fc.Arbitrary<LimitChange> = fc.record(
    { depositWeekMicros: micros, lossDayMicros: micros, pauseDays: fc.integer({ min: 1, max: 90 }) },
    { requiredKeys: [] },
  );
  const steps = fc.array(fc.record({ change, waitMinutes: fc.integer({ min: 0, max: 3000 }) }), { maxLength: 12 });
  const room = (value: LimitMicros) => value ?? usd(1_000);

  test('no limit is relaxed within 24 hours, and no pause ends early', () => {
    fc.assert(
      fc.property(steps, (all) => {
        let now = noon;
        let limits = noOwnLimits;
        for (const step of all) {
          now = new Date(now.getTime() + step.waitMinutes * 60_000);
          const before = limitsAt(limits, now);
          if (refuseChange(before, step.change, now) !== undefined) continue;
          limits = changeLimits(before, step.change, now);
          for (const of of ['depositWeek', 'lossDay'] as const) {
            const inForce = room(limits[of].micros);
            expect(inForce <= room(before[of].micros)).toBe(true);
            const { next } = limits[of];
            if (next === null) continue;
            expect(room(next.micros) > inForce).toBe(true);
            const alreadyWaited = before[of].next !== null && room(before[of].next.micros) >= room(next.micros);
            expect(alreadyWaited || next.at >= hoursOn(24, now)).toBe(true);
          }
          if (before.pausedUntil !== null)
            expect(limits.pausedUntil?.getTime()).toBeGreaterThanOrEqual(before.pausedUntil.getTime());
        }
      }),
    );
  });

  test('a change is reported exactly when something changed', () => {
    fc.assert(
      fc.property(change, change, (first, second) => {
        const before = changeLimits(noOwnLimits, first, noon);
        const later = hoursOn(1);
        if (refuseChange(before, second, later) !== undefined) return;
        const changed = changeLimits(before, second, later);
        const isSame = JSON.stringify(changed, asText) === JSON.stringify(before, asText);
        expect(describeChange(before, changed).length === 0).toBe(isSame);
      }),
    );
  });
});

const asText = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

describe('in words', () => {
  test.each<[string, OwnLimits, LimitChange, string[]]>([
    ['the first limit', deposits(null), { depositWeekMicros: usd(1500) }, ['Your weekly deposit limit is now $1,500.']],
    [
      'a higher limit',
      deposits(100),
      { depositWeekMicros: usd(500) },
      ['Your weekly deposit limit rises from $100 to $500 on 5 Mar 2026, 12:00 UTC.'],
    ],
    [
      'a limit removed',
      deposits(100),
      { depositWeekMicros: null },
      ['Your weekly deposit limit of $100 ends on 5 Mar 2026, 12:00 UTC.'],
    ],
    [
      'a pending limit cancelled',
      deposits(100, [500, hoursOn(3)]),
      { depositWeekMicros: usd(100) },
      ['Your weekly deposit limit stays $100.'],
    ],
    [
      'two changes at once',
      noOwnLimits,
      { lossDayMicros: usd(50), pauseDays: 7 },
      ['Your loss limit per market day is now $50.', 'Trading and deposits are paused until 11 Mar 2026, 12:00 UTC.'],
    ],
    ['nothing new', deposits(100), { depositWeekMicros: usd(100) }, []],
  ])('%s', (_what, before, change, sentences) => {
    expect(describeChange(before, changeLimits(before, change, noon))).toEqual(sentences);
  });
});
