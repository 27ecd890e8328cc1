import { z } from 'zod';
import { endpoint, id, instant, operatorRoles, page, paging } from '../endpoint.ts';
import { actor, money, operatorCode, secondFactorRefusals, version, why } from '../fields.ts';
import { feed, symbolParam } from '../market.ts';
import { maxSpreadBps } from '../rules.ts';
import { limitsOfSize } from './asset-limits.ts';

const spreadBps = z
  .number('Enter basis points.')
  .int('Whole basis points.')
  .min(0, 'Not negative.')
  .max(maxSpreadBps, `At most ${maxSpreadBps} basis points.`);

/** A spread change: it takes effect when the next session opens, unless another change replaces it before. */
const spreadChange = z.strictObject({
  id,
  spread_bps: z.number().int(),
  /** The spread in force when the change was made. */
  before_bps: z.number().int(),
  reason: z.string(),
  by: actor,
  at: instant,
  /** Day of the first session traded at it; null until then, and for a change replaced before. */
  first_session_on: z.iso.date().nullable(),
});
export type SpreadChange = z.output<typeof spreadChange>;

const asset = z.strictObject({
  symbol: z.string(),
  /** Display name: `btc/usdt`. */
  name: z.string(),
  logo: z.string(),
  /** The version that a decision refers to. */
  version: z.number().int(),
  active: z.boolean(),
  /** In force: the spread of the session that opened last. */
  spread_bps: z.number().int(),
  /** The spread from the next session on; null if it does not change. */
  next_spread: spreadChange.nullable(),
  /** Null until the first price: unknown is not zero. */
  price: z.number().nullable(),
  /** Market time. */
  price_at: instant.nullable(),
  stale: z.boolean(),
  positions: z.strictObject({
    count: z.number().int(),
    /** Total coins, as a decimal. */
    quantity: z.string(),
    /** At the last price; null without one. */
    value: money.nullable(),
  }),
  /** Trades waiting to open, and their total amount. */
  queued: z.strictObject({ count: z.number().int(), amount: money }),
  limits: limitsOfSize.extend({
    /** The version that a proposal refers to. */
    version: z.number().int(),
    /** Half of the order book's depth, measured in the last five minutes; null without an exchange or a fresh value. */
    half_depth: money.nullable(),
  }),
});
export type ConsoleAsset = z.output<typeof asset>;

const one = z.strictObject({ symbol: symbolParam });
const decidingRefusals = ['asset_not_found', 'asset_changed', ...secondFactorRefusals] as const;

/** Tradable assets and their spreads (docs/product.md, section 3). */
export const consoleAssets = {
  listAssets: endpoint({
    method: 'GET',
    path: '/operator/assets',
    access: operatorRoles,
    summary: 'List the assets with spread, position limits, last price, open positions and queued trades',
    data: z.strictObject({ feed, items: z.array(asset) }),
    refusals: ['not_ready'],
  }),
  listSpreadChanges: endpoint({
    method: 'GET',
    path: '/operator/assets/:symbol/spreads',
    access: operatorRoles,
    summary: 'List spread changes of an asset, newest first',
    params: one,
    query: z.strictObject(paging),
    data: page(spreadChange),
    refusals: ['asset_not_found'],
  }),
  setAssetActive: endpoint({
    method: 'PUT',
    path: '/operator/assets/:symbol/active',
    access: ['admin'],
    summary: 'Disable an asset, or enable it with two-factor authentication; open positions settle as usual',
    params: one,
    body: z.discriminatedUnion('active', [
      z.strictObject({ active: z.literal(false), version, why }),
      z.strictObject({ active: z.literal(true), version, why, otp: operatorCode }),
    ]),
    data: asset,
    refusals: decidingRefusals,
  }),
  changeSpread: endpoint({
    method: 'POST',
    path: '/operator/assets/:symbol/spread',
    access: ['admin'],
    summary: 'Set the spread of an asset from the next session',
    params: one,
    body: z.strictObject({ version, spread_bps: spreadBps, why, otp: operatorCode }),
    data: asset,
    refusals: [...decidingRefusals, 'spread_unchanged'],
  }),
};
