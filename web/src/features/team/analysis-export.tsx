import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { TeamOverview } from '#contract/team.ts';
import { type CsvCell, csvText, saveCsv } from '../../api/csv.ts';
import { t } from '../../api/texts.ts';

/** The tables of the page as files. */
export function AnalysisExport({ overview }: { overview: TeamOverview | undefined }) {
  const files = overview && [levelsCsv(overview), legsCsv(overview), growthCsv(overview)];
  return (
    <Menu position="bottom-end" width="max-content" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          disabled={!files}
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
        >{t`Export CSV`}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files?.map(({ label, fileName, head, rows }) => (
          <Menu.Item key={label} onClick={() => saveCsv(fileName, csvText(head, rows))}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type CsvFile = { label: string; fileName: string; head: readonly string[]; rows: readonly (readonly CsvCell[])[] };

/** Figures of a session are empty cells before the first is settled. */
export const levelsCsv = ({ as_of, levels }: TeamOverview): CsvFile => ({
  label: t`Levels`,
  fileName: 'team-levels.csv',
  head: [t`Level`, t`Members`, t`Active`, t`Volume`, t`Trade fees`, t`Share of fee, %`, t`Pays`, t`Bonus`],
  rows: levels.map((level) => [
    level.level,
    level.members,
    ...(as_of === null ? [null, null, null] : [level.active, level.volume, level.trade_fees]),
    level.share,
    level.pays ? t`yes` : t`no`,
    as_of === null ? null : level.bonus,
  ]),
});

export const legsCsv = ({ as_of, legs }: TeamOverview): CsvFile => ({
  label: t`Largest legs`,
  fileName: 'team-legs.csv',
  head: [t`Direct referral`, t`Registered Id`, t`Volume of the leg`],
  rows: legs.map((leg) => [leg.name, leg.referral_code, as_of === null ? null : leg.volume]),
});

export const growthCsv = ({ growth }: TeamOverview): CsvFile => ({
  label: t`Growth by week`,
  fileName: 'team-growth.csv',
  head: [t`Week of`, t`Members`, t`Active`],
  rows: growth.map(({ week, members, active }) => [week, members, active]),
});
