import { formatDecimal } from './number.ts';

/** Decimals of a coin's price step, so that a price keeps its width as it changes. */
const stepDecimals: Record<string, number> = {
  btc: 2,
  eth: 2,
  doge: 4,
  eos: 4,
  ltc: 2,
  bch: 2,
  xrp: 4,
  etc: 3,
  ada: 4,
  fil: 3,
  trx: 4,
  uni: 3,
  link: 3,
  sol: 2,
  aave: 2,
  bsv: 2,
};

const bySize = (price: number) => (price >= 50 ? 2 : price >= 5 ? 3 : 4);

/** Decimals of this coin's prices; charts use it too. */
export const priceDecimals = (symbol: string, price: number): number => stepDecimals[symbol] ?? bySize(price);

/** `formatPrice(68412.5, 'btc') === '68,412.50'`; unknown is a dash. Takes `btc` or `btc/usdt`. */
export function formatPrice(price: number | null | undefined, symbol: string): string {
  if (price === null || price === undefined) return '–';
  return formatDecimal(price, priceDecimals(symbol.split('/')[0] as string, price));
}
