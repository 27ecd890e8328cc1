import { z } from 'zod';
import { endpoint, financeRoles, instant, operatorRoles } from '../endpoint.ts';
import { actor, operatorCode, secondFactorRefusals, version, why } from '../fields.ts';

export const halt = z.strictObject({
  /** Which halt it is, counted from the first on: lifting names the one that was seen. */
  version: z.number().int(),
  /** Members read it. */
  reason: z.string(),
  by: actor,
  at: instant,
  /** Market time: ticks after it open nothing. */
  market_time: instant,
  /** Null while it stands. */
  lifted: z.strictObject({ by: actor, at: instant, market_time: instant, note: z.string() }).nullable(),
});
export type Halt = z.output<typeof halt>;

/**
 * Trading as a whole stops (docs/product.md, section 10): nothing is placed and nothing opens, queued trades are given
 * back, and what is open goes on to its stop, its close or the end of the session at real prices.
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
