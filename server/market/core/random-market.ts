import assert from 'node:assert/strict';
import {
  busyMinutes,
  type Calibration,
  calibrations,
  dailySigmaMemory,
  dailySigmaSpread,
  hourlySigma,
  hourlyVolume,
  jumpSize,
  marketJumpsPerDay,
  reversionHalfLifeDays,
  volumeSpread,
} from './calibration.ts';
import { type FeedCandle, roundToCents } from './candle.ts';
import { createRandom, type Random } from './random.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
const SQRT_DAY = Math.sqrt(DAY_MINUTES);
/** The walk starts here at the start prices, so that any later day follows from the seed alone. */
export const firstMarketDayMs = Date.UTC(2020, 0, 1);
/** Days of minutes cached: the current one, and its neighbours while a skip or a chart crosses midnight. */
const DAYS_KEPT = 3;
/** The pairs of the specification, point 1. */
const FIRST_COINS = 16;

/** A sudden move at one minute of a day; `size` is signed, in units of the deviation of 15 minutes. */
type Jump = { readonly minute: number; readonly size: number };

/** The random draws of one day, before any minute of it is generated. */
type DayDraw = {
  readonly volatility: number;
  readonly marketMove: number;
  readonly coinMoves: readonly number[];
  readonly marketJump: Jump | undefined;
  readonly coinJumps: readonly (Jump | undefined)[];
};

/** The minutes of one coin on one day: boundary prices (one more than minutes), extremes and turnover. */
type DayPath = {
  readonly boundaries: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly volumes: Float64Array;
};

export type RandomMarket = {
  /** One-minute candles of a coin that open in [fromMs, toMs), oldest first. */
  readonly listMinutes: (symbol: string, fromMs: number, toMs: number) => FeedCandle[];
};

/** Share of a day's variance that has passed at each minute boundary: 0 at midnight, 1 at the next. */
const passedVariance = cumulate(
  Array.from({ length: DAY_MINUTES }, (_, minute) => (hourlySigma[Math.floor(minute / 60)] as number) ** 2),
);

/** Deviation of each minute of the day relative to the mean minute. */
const minuteSigmas = Float64Array.from({ length: DAY_MINUTES }, (_, minute) =>
  Math.sqrt(DAY_MINUTES * ((passedVariance[minute + 1] as number) - (passedVariance[minute] as number))),
);

/**
 * A random market that resembles the real one: coins that move with a common factor and on their own, volatility
 * clustering by day, hour and minute, jumps, and slow mean reversion to the start price. Each minute of each coin is a
 * function of (seed, symbol, minute) only, regardless of where the market was started, skipped or restarted, and of
 * coins appended to the list.
 *
 * A minute is computed without generating all previous ones: a walk over whole days (a few numbers each) fixes the
 * price at every midnight, and within a day the minutes are a random bridge between the two. A bridge towards an
 * independently drawn end is the same random walk, so the day's end cannot be predicted from its morning.
 *
 * Worked: on a day of ordinary volatility a minute of bitcoin at 02:00 has deviation 4.39 bps × 0.99 × 1 = 4.3 bps, at
 * 14:00 × 1.44 = 6.3 bps; at $108 253.7 that is $47 and $68.
 */
export function createRandomMarket(seed: string, coins = calibrations): RandomMarket {
  const walk = createDailyWalk(seed, coins);
  const kept = new Map<number, DayPath[]>();
  const findDay = (day: number): DayPath[] => {
    const known = kept.get(day);
    if (known) return known;
    const paths = drawMinutes(seed, coins, day, walk.findDay(day));
    if (kept.size >= DAYS_KEPT) kept.delete(kept.keys().next().value as number);
    kept.set(day, paths);
    return paths;
  };
  return {
    listMinutes: (symbol, fromMs, toMs) => {
      const index = coins.findIndex((coin) => coin.symbol === symbol);
      const calibration = coins[index];
      assert(calibration, `${symbol} is not simulated`);
      const candles: FeedCandle[] = [];
      const end = Math.ceil(toMs / MINUTE_MS);
      for (let minute = Math.ceil(fromMs / MINUTE_MS); minute < end; ) {
        const day = Math.floor(minute / DAY_MINUTES);
        const path = findDay(day)[index] as DayPath;
        for (; minute < end && minute < (day + 1) * DAY_MINUTES; minute += 1) {
          candles.push(readMinute(path, minute - day * DAY_MINUTES, minute * MINUTE_MS, calibration));
        }
      }
      return candles;
    },
  };
}

function readMinute(path: DayPath, minute: number, atMs: number, calibration: Calibration): FeedCandle {
  // A whole number divided by a power of ten is the number nearest to that decimal, so its text has no stray digits.
  const scale = 10 ** calibration.decimals;
  const quote = (price: number) => Math.max(1, Math.round(price * scale)) / scale;
  return {
    atMs,
    open: quote(path.boundaries[minute] as number),
    high: quote(path.highs[minute] as number),
    low: quote(path.lows[minute] as number),
    close: quote(path.boundaries[minute + 1] as number),
    volume: roundToCents(path.volumes[minute] as number),
  };
}

/** Each coin at the midnight that opens a day, as the logarithm of its distance from the start price. */
type DayStart = { readonly draw: DayDraw; readonly volatility: number; readonly distances: readonly number[] };

function createDailyWalk(seed: string, coins: readonly Calibration[]) {
  const starts: DayStart[] = [];
  const firstDay = firstMarketDayMs / DAY_MS;
  const pull = 1 - 0.5 ** (1 / reversionHalfLifeDays);

  const next = (before: DayStart | undefined, day: number): DayStart => {
    const draw = drawDay(`${seed}/day/${day}`, coins);
    const fresh = Math.sqrt(1 - dailySigmaMemory ** 2) * draw.volatility;
    const volatility = before === undefined ? draw.volatility : dailySigmaMemory * before.volatility + fresh;
    if (before === undefined) return { draw, volatility, distances: coins.map(() => 0) };
    const sigma = daySigma(before.volatility);
    const distances = coins.map((calibration, index) => {
      const weights = weightsOf(calibration);
      const swing = weights.market * before.draw.marketMove + weights.own * (before.draw.coinMoves[index] as number);
      const jumped = jumpsOf(calibration, before.draw, index).reduce((sum, jump) => sum + jump.move, 0);
      return (before.distances[index] as number) * (1 - pull) + sigma * SQRT_DAY * swing + jumped;
    });
    return { draw, volatility, distances };
  };

  return {
    findDay: (day: number): DayStart & { readonly pull: number } => {
      assert(day >= firstDay, 'the simulated market begins on 2020-01-01');
      for (let known = starts.length; known <= day - firstDay; known += 1) {
        starts.push(next(starts[known - 1], firstDay + known));
      }
      return { ...(starts[day - firstDay] as DayStart), pull };
    },
  };
}

/** A day's deviation relative to the average day; the mean of its square is 1. */
const daySigma = (volatility: number): number => Math.exp(dailySigmaSpread * volatility - dailySigmaSpread ** 2);

/** A coin's move per minute for one deviation of the factor, and for one of its own. */
const weightsOf = ({ sigmaBps, correlation }: Calibration): { readonly market: number; readonly own: number } => ({
  market: sigmaBps * 1e-4 * correlation,
  own: sigmaBps * 1e-4 * Math.sqrt(1 - correlation ** 2),
});

/**
 * The order of draws defines the market. The coins of the first list share the day's stream, and each later coin has
 * its own, so that adding it changes no other prices.
 */
function drawDay(seed: string, coins: readonly Calibration[]): DayDraw {
  const random = createRandom(seed);
  const randoms = coins.map(({ symbol }, at) => (at < FIRST_COINS ? random : createRandom(`${seed}/${symbol}`)));
  const ofCoin = (at: number) => randoms[at] as Random;
  return {
    volatility: random.normal(),
    marketMove: random.normal(),
    coinMoves: coins.map((_, at) => ofCoin(at).normal()),
    marketJump: drawJump(random, marketJumpsPerDay),
    coinJumps: coins.map((coin, at) => drawJump(ofCoin(at), coin.jumpsPerDay)),
  };
}

function drawJump(random: Random, perDay: number): Jump | undefined {
  if (random.uniform() >= perDay) return undefined;
  const minute = Math.floor(random.uniform() * DAY_MINUTES);
  const size = Math.min(jumpSize.most, jumpSize.least * random.uniform() ** (-1 / jumpSize.tail));
  return { minute, size: random.uniform() < 0.5 ? -size : size };
}

/** The day's jumps of one coin, its own and the market's, as moves of the logarithm of its price. */
function jumpsOf(calibration: Calibration, draw: DayDraw, index: number): { minute: number; move: number }[] {
  const weights = weightsOf(calibration);
  const unit = Math.sqrt(jumpSize.unitMinutes);
  const ownJump = draw.coinJumps[index];
  return [
    ...(draw.marketJump
      ? [{ minute: draw.marketJump.minute, move: unit * weights.market * draw.marketJump.size }]
      : []),
    ...(ownJump ? [{ minute: ownJump.minute, move: unit * weights.own * ownJump.size }] : []),
  ];
}

function drawMinutes(
  seed: string,
  coins: readonly Calibration[],
  day: number,
  start: DayStart & { readonly pull: number },
): DayPath[] {
  const market = drawBridge(createRandom(`${seed}/market/${day}`), start.draw.marketMove);
  return coins.map((calibration, index) => {
    const random = createRandom(`${seed}/${calibration.symbol}/${day}`);
    const own = drawBridge(random, start.draw.coinMoves[index] as number);
    const sigma = daySigma(start.volatility);
    const weights = weightsOf(calibration);
    const jumps = jumpsOf(calibration, start.draw, index);
    const distance = start.distances[index] as number;
    const logarithms = new Float64Array(DAY_MINUTES + 1);
    for (let minute = 0; minute <= DAY_MINUTES; minute += 1) {
      const swing = weights.market * (market[minute] as number) + weights.own * (own[minute] as number);
      const pulled = distance * (1 - (start.pull * minute) / DAY_MINUTES);
      logarithms[minute] = pulled + sigma * swing;
    }
    for (const jump of jumps) {
      for (let minute = jump.minute + 1; minute <= DAY_MINUTES; minute += 1)
        logarithms[minute] = (logarithms[minute] as number) + jump.move;
    }
    return fillMinutes(random, calibration, sigma, logarithms);
  });
}

/**
 * A random walk over the day's minutes that ends at √1440 × `target`, with steps of deviation 1 on average. The gap
 * between a free walk and that end is distributed in proportion to the variance passed.
 */
function drawBridge(random: Random, target: number): Float64Array {
  const bridge = new Float64Array(DAY_MINUTES + 1);
  const { share, scale } = busyMinutes;
  const calm = Math.sqrt((1 - share * scale ** 2) / (1 - share));
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    const busy = random.uniform() < share ? scale : calm;
    bridge[minute + 1] = (bridge[minute] as number) + (minuteSigmas[minute] as number) * busy * random.normal();
  }
  const missed = SQRT_DAY * target - (bridge[DAY_MINUTES] as number);
  for (let minute = 1; minute <= DAY_MINUTES; minute += 1) {
    bridge[minute] = (bridge[minute] as number) + missed * (passedVariance[minute] as number);
  }
  return bridge;
}

/** Prices from logarithms, with the high and low that a walk between two boundaries reaches. */
function fillMinutes(random: Random, calibration: Calibration, sigma: number, logarithms: Float64Array): DayPath {
  const path: DayPath = {
    boundaries: logarithms.map((logarithm) => calibration.startPrice * Math.exp(logarithm)),
    highs: new Float64Array(DAY_MINUTES),
    lows: new Float64Array(DAY_MINUTES),
    volumes: new Float64Array(DAY_MINUTES),
  };
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    const before = logarithms[minute] as number;
    const move = (logarithms[minute + 1] as number) - before;
    const deviation = sigma * calibration.sigmaBps * 1e-4 * (minuteSigmas[minute] as number);
    const reach = () => Math.sqrt(move * move - 2 * deviation * deviation * Math.log(random.uniform()));
    path.highs[minute] = calibration.startPrice * Math.exp(before + (move + reach()) / 2);
    path.lows[minute] = calibration.startPrice * Math.exp(before + (move - reach()) / 2);
    // Turnover varies randomly and grows with the size of the move; 0.8 is the mean absolute value of a normal
    // variable.
    const swing = Math.exp(volumeSpread * random.normal() - volumeSpread ** 2 / 2);
    const activity = 0.4 + (0.6 * Math.abs(move)) / (0.8 * deviation);
    const hour = hourlyVolume[Math.floor(minute / 60)] as number;
    path.volumes[minute] = calibration.volumePerMinute * hour * swing * activity;
  }
  return path;
}

function cumulate(weights: readonly number[]): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const passed = new Float64Array(weights.length + 1);
  weights.forEach((weight, index) => {
    passed[index + 1] = (passed[index] as number) + weight / total;
  });
  return passed;
}
