import { binanceProtocol } from './exchange-binance.ts';
import { krakenProtocol } from './exchange-kraken.ts';
import { okxProtocol } from './exchange-okx.ts';
import { type ExchangeProtocol, type FakeExchange, serveExchange } from './exchange-server.ts';

export { EXCHANGE_KEYS } from './exchange-binance.ts';
export type { FakeExchange } from './exchange-server.ts';

/** The exchanges supported as venue, by ccxt id. A new one must pass the same conformance suite. */
export const exchanges: Readonly<Record<string, (balances: Readonly<Record<string, string>>) => ExchangeProtocol>> = {
  binance: binanceProtocol,
  kraken: krakenProtocol,
  okx: okxProtocol,
};

/** One account at a local exchange on 127.0.0.1; balances by the exchange's coin symbols. */
export const startExchange = (
  balances: Readonly<Record<string, string>> = { USDT: '1000000', BNB: '10' },
  id = 'binance',
): Promise<FakeExchange> => serveExchange((exchanges[id] as (typeof exchanges)[string])(balances));

/** The settings of a server that trades there. */
export const settingsAt = ({ id, url, keys }: FakeExchange): Record<string, string> => ({
  MARKET_FEED: 'ccxt',
  VENUE: 'ccxt',
  CCXT_EXCHANGE: id,
  CCXT_URL: url,
  CCXT_SANDBOX: '1',
  CCXT_API_KEY: keys.apiKey,
  CCXT_SECRET: keys.secret,
  ...(keys.password !== undefined && { CCXT_PASSWORD: keys.password }),
});
