import { z } from 'zod';
import { endpoint, id, instant, line, operatorRoles } from '../endpoint.ts';
import { otpCode } from '../funds/withdrawals.ts';

const by = z.strictObject({ id, name: z.string() });

export const halt = z.strictObject({
  /** Which halt it is, counted from the first on: lifting names the one that was seen. */
  version: z.number().int(),
  /** Members read it. */
  reason: z.string(),
  by,
  at: instant,
  /** Market time: ticks after it open nothing. */
  market_time: instant,
  /** Null while it stands. */
  lifted: z.strictObject({ by, at: instant, market_time: instant, note: z.string() }).nullable(),
});
export type Halt = z.output<typeof halt>;

const payers = ['finance', 'admin'] as const;

/**
 * Trading as a whole stops (docs/product.md, section 10): nothing is placed and nothing opens, queued trades are given
 * back, and what is open goes on to its stop, its close or the end of the session at real prices.
 */
export const tradingHalt = {
  getHalt: endpoint({
    method: 'GET',
    path: '/operator/halt',
    access: operatorRoles,
    summary: 'Whether trading is halted, since when and why; null when it is not',
    data: z.strictObject({ halt: halt.nullable() }),
    refusals: [],
  }),
  haltTrading: endpoint({
    method: 'POST',
    path: '/operator/halt',
    access: payers,
    summary: 'Halt trading at once; of a halt that stands already it keeps who did it, since when and why',
    body: z.strictObject({ reason: line(300, 'Say why.') }),
    data: halt,
    refusals: ['not_ready'],
  }),
  liftHalt: endpoint({
    method: 'POST',
    path: '/operator/halt/lift',
    access: payers,
    summary: 'Let trading go on, with the second factor',
    body: z.strictObject({ version: z.number().int().min(1), note: line(300, 'Say why.'), otp: otpCode }),
    data: halt,
    refusals: ['halt_over', 'second_factor_missing', 'wrong_second_factor', 'not_ready'],
  }),
};
