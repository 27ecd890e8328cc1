import { formatPrice, PRICE_DECIMALS, parsePrice } from '../fill-price.ts';

/** Money has 6 decimals, prices and quantities 12. */
const MICRO_DECIMALS = 6;
const SCALE = 10n ** BigInt(2 * PRICE_DECIMALS - MICRO_DECIMALS);

/**
 * How many coins N dollars bought, cut after 12 decimals. It is shown and not used: proceeds are N × close ÷ open, so that
 * only money is rounded (docs/product.md, section 2). `coinsBought(249_000_000n, '100.05') === '2.488755622188'`
 */
export const coinsBought = (netMicros: bigint, openPrice: string): string =>
  formatPrice((netMicros * SCALE) / parsePrice(openPrice));
