/** How an exchange names what we trade, in ccxt's spelling (`XXBT` is `BTC`). */
export type ExchangeNames = {
  /** The dollar that its pairs are quoted in. Both count as a dollar here. */
  readonly dollar: 'USDT' | 'USD';
  /** Assets listed under a name other than our symbol in capitals. */
  readonly coins: Readonly<Record<string, string>>;
  /** The most candles of a step it has; unset if more than we request. */
  readonly maxCandles?: number;
};

/** EOS became Vaulta and is listed as A. */
const coins = { eos: 'A' };

const names: Readonly<Record<string, ExchangeNames>> = {
  binance: { dollar: 'USDT', coins },
  binanceus: { dollar: 'USDT', coins },
  kraken: { dollar: 'USD', coins, maxCandles: 720 },
  okx: { dollar: 'USDT', coins },
};

/** Any other ccxt exchange, for prices only. */
const unknown: ExchangeNames = { dollar: 'USDT', coins: {} };

/** @param id of ccxt, as in CCXT_EXCHANGE */
export const namesAt = (id: string): ExchangeNames => names[id] ?? unknown;

/** `coinAt('kraken', 'eos')` is `A`. */
export const coinAt = (id: string, symbol: string): string => namesAt(id).coins[symbol] ?? symbol.toUpperCase();

/** The pair of an asset against dollars as ccxt names it: `pairAt('kraken', 'btc')` is `BTC/USD`. */
export const pairAt = (id: string, symbol: string): string => `${coinAt(id, symbol)}/${namesAt(id).dollar}`;
