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

/** A change of spread: it takes effect with the next session that opens, unless another one is written before. */
const spreadChange = z.strictObject({
  id,
  spread_bps: z.number().int(),
  /** What was in force when it was written. */
  before_bps: z.number().int(),
  reason: z.string(),
  by: actor,
  at: instant,
  /** The day of the first session that was played at it; null before that, and for one that was followed by another. */
  first_session_on: z.iso.date().nullable(),
});
export type SpreadChange = z.output<typeof spreadChange>;

const asset = z.strictObject({
  symbol: z.string(),
  /** As shown: `btc/usdt`. */
  name: z.string(),
  logo: z.string(),
  /** What was seen and decided about. */
  version: z.number().int(),
  active: z.boolean(),
  /** In force: what the session that opened last is played at. */
  spread_bps: z.number().int(),
  /** What the next session will be played at; null when nothing changes. */
  next_spread: spreadChange.nullable(),
  /** Null until a first price came: unknown is not zero. */
  price: z.number().nullable(),
  /** Market time. */
  price_at: instant.nullable(),
  stale: z.boolean(),
  positions: z.strictObject({
    count: z.number().int(),
    /** Coins of all of them, a decimal. */
    quantity: z.string(),
    /** At the last price; null without one. */
    value: money.nullable(),
  }),
  /** Trades that wait to be opened, and what was placed with them. */
  queued: z.strictObject({ count: z.number().int(), amount: money }),
  limits: limitsOfSize.extend({
    /** What a proposal is about. */
    version: z.number().int(),
    /** Half of what the order book could fill within five minutes ago; null without an exchange or a fresh measurement. */
    half_depth: money.nullable(),
  }),
});
export type ConsoleAsset = z.output<typeof asset>;

const one = z.strictObject({ symbol: symbolParam });
const decidingRefusals = ['asset_not_found', 'asset_changed', ...secondFactorRefusals] as const;

/** What can be traded, and at which spread (docs/product.md, sections 3 and 10). */
export const consoleAssets = {
  listAssets: endpoint({
    method: 'GET',
    path: '/operator/assets',
    access: operatorRoles,
    summary: 'List the assets with spread, limits of size, last price, open positions and queued trades',
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
