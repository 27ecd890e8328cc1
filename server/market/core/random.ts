/** A random stream determined by its key alone: the same key gives the same stream on every machine. */
export type Random = {
  /** Uniform over (0, 1); never 0 or 1, so that its logarithm exists. */
  readonly uniform: () => number;
  /** Normally distributed, mean 0, deviation 1. */
  readonly normal: () => number;
};

const TWO_TO_32 = 4_294_967_296;
/** sfc32 needs about this many steps until every bit of the key has reached every bit of the state. */
const WARM_UP_STEPS = 12;

/**
 * A small fast generator (sfc32) whose state is a 128-bit hash of `key`. Not for secrets: the stream is reproducible
 * from the key by design. Used by the simulated market (docs/product.md, section 3, "Two clocks").
 *
 * `createRandom('tradewind').uniform()` is 0.6067410366376862 on every machine (random.test.ts).
 */
export function createRandom(key: string): Random {
  let [a, b, c, counter] = hashKey(key);
  const nextWord = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let step = 0; step < WARM_UP_STEPS; step += 1) nextWord();

  const uniform = () => (nextWord() + 0.5) / TWO_TO_32;
  // Box–Muller turns two uniform numbers into two normal ones; the second is kept here.
  let waiting: number | undefined;
  const normal = () => {
    if (waiting !== undefined) {
      const second = waiting;
      waiting = undefined;
      return second;
    }
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    const angle = 2 * Math.PI * uniform();
    waiting = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
  return { uniform, normal };
}

/** Four 32-bit words of a text (cyrb128): similar keys, such as those of consecutive days, give unrelated words. */
function hashKey(key: string): [number, number, number, number] {
  let h1 = 1_779_033_703;
  let h2 = 3_144_134_277;
  let h3 = 1_013_904_242;
  let h4 = 2_773_480_762;
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    h1 = h2 ^ Math.imul(h1 ^ unit, 597_399_067);
    h2 = h3 ^ Math.imul(h2 ^ unit, 2_869_860_233);
    h3 = h4 ^ Math.imul(h3 ^ unit, 951_274_213);
    h4 = h1 ^ Math.imul(h4 ^ unit, 2_716_044_179);
  }
  h1 = Math.imul(h3 ^ (h1 >>> 18), 597_399_067);
  h2 = Math.imul(h4 ^ (h2 >>> 22), 2_869_860_233);
  h3 = Math.imul(h1 ^ (h3 >>> 17), 951_274_213);
  h4 = Math.imul(h2 ^ (h4 >>> 19), 2_716_044_179);
  h1 ^= h2 ^ h3 ^ h4;
  return [h1, h2 ^ h1, h3 ^ h1, h4 ^ h1];
}
