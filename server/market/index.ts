export { type Advance, type Advanced, advanceMarket, releaseMarket } from './advance-market.ts';
export { findAveragePrice, findFirstFreshMinuteAverage } from './find-average-price.ts';
export { getFeed, getMarketTime } from './get-feed.ts';
export { type Asset, findAsset, type ListedAsset, listAssets } from './list-assets.ts';
export { type CandleQuery, listCandles } from './list-candles.ts';
export { prepareMarket } from './prepare-market.ts';
export { mountMarket } from './routes.ts';
export { setAssetActive } from './set-asset-active.ts';
export { listTicks, type Price } from './tick-sql.ts';
