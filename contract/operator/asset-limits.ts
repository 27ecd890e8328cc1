import { z } from 'zod';
import { financeRoles } from '../endpoint.ts';
import { money, moneyAmount, version, why } from '../fields.ts';
import { symbolParam } from '../market.ts';
import { decisionsOf, proposal } from './proposals.ts';

/** Dollars for one trade, and for the queued and open trades of one member and of all members; null: no limit. */
export const limitsOfSize = z.strictObject({
  trade: money.nullable(),
  member: money.nullable(),
  all: money.nullable(),
});
export type LimitsOfSize = z.output<typeof limitsOfSize>;

const limitChange = proposal.extend({
  symbol: z.string(),
  limits: limitsOfSize,
  /** The limits they would replace. */
  before: limitsOfSize,
});
export type LimitChange = z.output<typeof limitChange>;

const most = moneyAmount.refine((amount) => amount > 0, 'Enter an amount above 0, or none.').nullable();
const isAtMost = (less: number | null, more: number | null) => less === null || more === null || less <= more;

const decisions = decisionsOf({
  path: '/operator/asset-limits',
  access: financeRoles,
  what: 'a change of an asset’s limits',
  many: 'proposed changes of assets’ position limits',
  effect: 'trades that are placed or opened from then on keep to it',
  data: limitChange,
  refusals: ['limits_changed'],
});

/** Size limits of an asset (docs/product.md, section 3, "Position limits"); a change takes two operators. */
export const consoleLimits = {
  listLimitChanges: decisions.list,
  proposeLimits: decisions.propose({
    summary: 'Propose position limits of an asset; they apply when a second operator approves them',
    body: z
      .strictObject({
        symbol: symbolParam,
        /** Version of the asset's limits that the operator saw. */
        version,
        trade: most,
        member: most,
        all: most,
        reason: why,
      })
      .refine(({ trade, member }) => isAtMost(trade, member), {
        path: ['trade'],
        message: 'A trade cannot be larger than what one member may have.',
      })
      .refine(({ trade, member, all }) => isAtMost(member, all) && (member !== null || isAtMost(trade, all)), {
        path: ['all'],
        message: 'All members cannot have less than one member or one trade.',
      }),
    refusals: ['asset_not_found', 'limits_changed', 'limits_unchanged'],
    idempotent: true,
  }),
  approveLimits: decisions.approve,
  rejectLimits: decisions.reject,
  withdrawLimits: decisions.withdraw,
};
