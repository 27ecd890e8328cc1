import { z } from 'zod';
import { endpoint, financeRoles, instant, operatorRoles } from '../endpoint.ts';
import { actor, operatorCode, secondFactorRefusals, version, why } from '../fields.ts';

export const halt = z.strictObject({
  /** Number of the halt, counted from the first: lifting names the halt that the operator saw. */
  version: z.number().int(),
  /** Shown to members. */
  reason: z.string(),
  by: actor,
  at: instant,
  /** Market time: no tick after it opens a trade. */
  market_time: instant,
  /** Null while the halt is in force. */
  lifted: z.strictObject({ by: actor, at: instant, market_time: instant, note: z.string() }).nullable(),
});
export type Halt = z.output<typeof halt>;

/**
 * A halt of all trading (docs/product.md, section 3): no trade is placed or opened, queued trades are refunded, and
 * open trades continue to their stop, their close or the end of the session at real prices.
 */
export const tradingHalt = {
  getHalt: endpoint({
    method: 'GET',
    path: '/operator/halt',
    access: operatorRoles,
    summary: 'Get the current trading halt; null when trading is active',
    data: z.strictObject({ halt: halt.nullable() }),
  }),
  haltTrading: endpoint({
    method: 'POST',
    path: '/operator/halt',
    access: financeRoles,
    summary: 'Halt trading; an existing halt keeps its operator, time and reason',
    body: z.strictObject({ reason: why }),
    data: halt,
    refusals: ['not_ready'],
  }),
  liftHalt: endpoint({
    method: 'POST',
    path: '/operator/halt/lift',
    access: financeRoles,
    summary: 'Resume trading with two-factor authentication',
    body: z.strictObject({ version, note: why, otp: operatorCode }),
    data: halt,
    refusals: ['halt_over', ...secondFactorRefusals, 'not_ready'],
  }),
};
