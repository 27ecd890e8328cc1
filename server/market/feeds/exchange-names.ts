/** How an exchange names what we trade; ccxt's names, which are its own except for spelling (`XXBT` is `BTC`). */
export type ExchangeNames = {
  /** The dollar that its pairs are quoted in. Both are a dollar to us. */
  readonly dollar: 'USDT' | 'USD';
  /** Assets that it lists under another name than ours in capitals. */
  readonly coins: Readonly<Record<string, string>>;
  /** How many candles of a step it has, whatever is asked for; more than we ask for unless set. */
  readonly mostCandles?: number;
};

/** EOS became Vaulta and is listed as A. */
const coins = { eos: 'A' };

const names: Readonly<Record<string, ExchangeNames>> = {
  binance: { dollar: 'USDT', coins },
  binanceus: { dollar: 'USDT', coins },
  kraken: { dollar: 'USD', coins, mostCandles: 720 },
  okx: { dollar: 'USDT', coins },
};

/** Any other exchange of ccxt, for prices alone. */
const unknown: ExchangeNames = { dollar: 'USDT', coins: {} };

/** @param id of ccxt, as in CCXT_EXCHANGE */
export const namesAt = (id: string): ExchangeNames => names[id] ?? unknown;

/** `coinAt('kraken', 'eos')` is `A`. */
export const coinAt = (id: string, symbol: string): string => namesAt(id).coins[symbol] ?? symbol.toUpperCase();

/** The pair of an asset against dollars as ccxt names it: `pairAt('kraken', 'btc')` is `BTC/USD`. */
export const pairAt = (id: string, symbol: string): string => `${coinAt(id, symbol)}/${namesAt(id).dollar}`;
