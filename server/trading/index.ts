/**
 * Sessions, trades and what they come to (product.md sections 2 and 3).
 */
export { cancelTrade } from './cancel-trade.ts';
export { closeTrade } from './close-trade.ts';
export { followMarket } from './follow-market.ts';
export { getNetWorth, type NetWorth } from './get-net-worth.ts';
export { getPortfolio } from './get-portfolio.ts';
export { getSession } from './get-session.ts';
export { listTrades, type TradeQuery } from './list-trades.ts';
export { openDueTrades } from './open-due-trades.ts';
export { type NewTradeInput, placeTrade } from './place-trade.ts';
export { mountTrading } from './routes.ts';
export { settleDueTrades } from './settle-due-trades.ts';
