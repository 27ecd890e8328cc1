import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { TeamOverview } from '#contract/team.ts';
import { csvText, saveCsv } from '../../api/csv.ts';
import { growthCsv, legsCsv, levelsCsv } from './analysis-csv.ts';

/** The tables of the page as files. */
export function AnalysisExport({ overview }: { overview: TeamOverview | undefined }) {
  const files = overview && [levelsCsv(overview), legsCsv(overview), growthCsv(overview)];
  return (
    <Menu position="bottom-end" width="max-content" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" disabled={!files} leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}>
          Export CSV
        </Button>
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
