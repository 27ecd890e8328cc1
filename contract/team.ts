import { z } from 'zod';
import { endpoint, id, instant, line, page, paging } from './endpoint.ts';
import { memberName, money } from './fields.ts';
import { english } from './texts.ts';

const { t } = english;

export const teamLevels = 10;

/** Orders of a member list: newest first, by name, or largest first. */
export const teamSorts = ['joined', 'name', 'volume', 'team'] as const;
export type TeamSort = (typeof teamSorts)[number];

/** A member of the caller's team. Mobile and email are masked (docs/product.md, section 7). */
export const teamMember = memberName.extend({
  /** `••••••4127` */
  mobile: z.string(),
  /** `a•••@t•••.example` */
  email: z.string(),
  joined_at: instant,
  active: z.boolean(),
  /** Own volume of the last 30 days. */
  volume: money,
  /** Members in the downline, ten levels deep. */
  team_size: z.number().int(),
  /** Number of direct referrals, shown when a branch is expanded. */
  directs: z.number().int(),
  /** Distance from the caller: 1 is a direct. */
  level: z.number().int(),
});
export type TeamMember = z.output<typeof teamMember>;

const filters = {
  ...paging,
  /** Prefix of a word of the name, or of the Registered Id. */
  search: line(100, t`Enter what to look for.`).optional(),
  sort: z.enum(teamSorts, t`Not an order of this list.`).default('joined'),
};

export const teamLevel = z.strictObject({
  level: z.number().int(),
  members: z.number().int(),
  active: z.number().int(),
  volume: money,
  trade_fees: money,
  /** Referral bonus, level bonus and team profit from this level in the last 30 days. */
  bonus: money,
  /** The level's share of the trade fee, in percent. */
  share: z.number(),
  /** Whether the caller currently has enough active directs for this level. */
  pays: z.boolean(),
});

export const leg = memberName.extend({ volume: money });

export const teamOverview = z.strictObject({
  /** The session at whose settlement the figures were computed; null before the first. Member counts are live. */
  as_of: z.iso.date().nullable(),
  total_members: z.number().int(),
  active_members: z.number().int(),
  active_directs: z.number().int(),
  /** Whether the caller traded in the last 30 days. */
  active: z.boolean(),
  volume: money,
  trade_fees: money,
  bonus: money,
  levels: z.array(teamLevel),
  /** The ten largest of the last 30 days; `legs_total` counts all. */
  legs: z.array(leg),
  legs_total: z.number().int(),
  /** The most one leg counts towards a rank's volume, in percent. */
  leg_cap: z.number(),
  /** One point per week, oldest first; at most 53. */
  growth: z.array(z.strictObject({ week: z.iso.date(), members: z.number().int(), active: z.number().int() })),
});
export type TeamOverview = z.output<typeof teamOverview>;

const members = page(teamMember);
const noLevel = t`A level from 1 to 10.`;

export const team = {
  listReferrals: endpoint({
    method: 'GET',
    path: '/auth/refer-list',
    access: 'member',
    summary: 'List direct referrals of the caller or of a member in the caller’s team',
    query: z.strictObject({ ...filters, of: id.optional() }),
    data: members,
    refusals: ['not_found', 'team_list_too_long'],
  }),
  getTeam: endpoint({
    method: 'GET',
    path: '/auth/team-info',
    access: 'member',
    summary: 'Get team totals, or with `level` list the members of that level',
    query: z
      .strictObject({
        ...filters,
        level: z
          .string()
          .regex(/^([1-9]|10)$/, noLevel)
          .transform(Number)
          .optional(),
      })
      // Totals have no entries to search or to page through.
      .refine(({ level, search, cursor }) => level !== undefined || (search ?? cursor) === undefined, {
        path: ['level'],
        message: noLevel,
      }),
    data: z.union([teamOverview, members]),
    refusals: ['team_list_too_long'],
  }),
};
