export { type Asset, assetMarks, findAsset, readTradable, updateListed } from './assets/asset-sql.ts';
export { changeSpread, lockSeenAsset, setAssetActive, takeOverSpreads } from './assets/change-asset.ts';
export { type ListedAsset, listAssets, listMarket } from './assets/list-assets.ts';
export { findSessionSpread, listNextChanges, listSpreadChanges, type SpreadChangeRow } from './assets/spread-sql.ts';
export { type CandleQuery, listCandles, listClosedCandles, listPricesAt } from './candles/list-candles.ts';
export {
  findAveragePrice,
  findFirstFreshMinuteAverage,
  listHeldTicks,
  listTicks,
  type Price,
} from './candles/tick-sql.ts';
export { type Advance, type Advanced, advanceMarket, releaseMarket } from './clock/advance-market.ts';
export { getMarketTime, hasRecordedMarket, holdMarketTime, marketTime } from './clock/clock-sql.ts';
export { prepareMarket } from './clock/prepare-market.ts';
export { averagePrice, firstFreshMinute, tickPath } from './core/candle.ts';
export { coinAt, namesAt, pairAt } from './feeds/exchange-names.ts';
export { type Grain, getFeed, getGrain } from './feeds/get-feed.ts';
export { SourceAway } from './feeds/live-source.ts';
export { openExchange } from './feeds/open-exchange.ts';
export { pollPrices } from './feeds/poll-prices.ts';
export { type RecordingOrder, recordExchange } from './feeds/record-exchange.ts';
export { openRecordedCandles } from './feeds/replay-feed.ts';
export { mountMarket } from './routes.ts';
