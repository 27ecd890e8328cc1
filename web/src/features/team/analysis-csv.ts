import type { TeamOverview } from '#contract/team.ts';
import type { CsvCell } from '../../api/csv.ts';

type CsvFile = { label: string; fileName: string; head: readonly string[]; rows: readonly (readonly CsvCell[])[] };

/** Figures of a session are empty cells before the first is settled. */
export const levelsCsv = ({ as_of, levels }: TeamOverview): CsvFile => ({
  label: 'Levels',
  fileName: 'team-levels.csv',
  head: ['Level', 'Members', 'Active', 'Volume', 'Trade fees', 'Share of fee, %', 'Pays', 'Bonus'],
  rows: levels.map((level) => [
    level.level,
    level.members,
    ...(as_of === null ? [null, null, null] : [level.active, level.volume, level.trade_fees]),
    level.share,
    level.pays ? 'yes' : 'no',
    as_of === null ? null : level.bonus,
  ]),
});

export const legsCsv = ({ as_of, legs }: TeamOverview): CsvFile => ({
  label: 'Largest legs',
  fileName: 'team-legs.csv',
  head: ['Direct referral', 'Registered Id', 'Volume of the leg'],
  rows: legs.map((leg) => [leg.name, leg.referral_code, as_of === null ? null : leg.volume]),
});

export const growthCsv = ({ growth }: TeamOverview): CsvFile => ({
  label: 'Growth by week',
  fileName: 'team-growth.csv',
  head: ['Week of', 'Members', 'Active'],
  rows: growth.map(({ week, members, active }) => [week, members, active]),
});
