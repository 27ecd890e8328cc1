import { Button, Skeleton, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Column, Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { StaleLine, TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { AccountsPanel } from './accounts-panel.tsx';
import { CheckedPanel, MembersPanel, ReportedPanel } from './check-panels.tsx';
import { CoverPanel } from './cover-panel.tsx';
import { KeptProofsPanel, saveProof } from './kept-proofs-panel.tsx';
import { SealPanel } from './liabilities-proof-panel.tsx';
import { ProofPanel } from './proof-panel.tsx';
import { ownLeafQuery, solvencyQuery } from './queries.ts';
import { ReservesPanel } from './reserves-panel.tsx';
import { SealsPanel } from './seals-panel.tsx';

/** Assets, liabilities and the source of every income, computed from the ledger (docs/solvency.md). */
export function SolvencyPage() {
  const query = useQuery(solvencyQuery);
  const solvency = query.data;
  const late = useLate(solvency === undefined && !query.isError);
  return (
    <>
      <PageHead
        title={t`Solvency`}
        facts={solvency ? t`As of ${formatDateTime(solvency.market_time)}, computed from the ledger` : '\u00a0'}
      >
        <SealButton />
      </PageHead>
      {query.isError && (
        <Panel padded={false}>{solvency ? <StaleLine query={query} /> : <TableError query={query} />}</Panel>
      )}
      {late && (
        <Panel>
          <Stack mih={240} justify="center" aria-busy="true" role="status" aria-label={t`Loading solvency`}>
            {['52%', '34%', '100%', '95%'].map((width) => (
              <Skeleton key={width} h={20} w={width} animate={false} />
            ))}
          </Stack>
        </Panel>
      )}
      {solvency && (
        <>
          <CoverPanel solvency={solvency} />
          <Columns>
            <Column>
              <AccountsPanel solvency={solvency} />
              <SealsPanel heads={solvency.heads} />
            </Column>
            <Column pairs>
              <SealPanel simulated={solvency.simulated} />
              <KeptProofsPanel />
              {!solvency.simulated && <ReportedPanel solvency={solvency} />}
              <MembersPanel solvency={solvency} />
              <CheckedPanel checked={solvency.checked} />
            </Column>
          </Columns>
          <ReservesPanel />
          <ProofPanel solvency={solvency} query={query} />
        </>
      )}
    </>
  );
}

/** The newest proof, for a check that needs nobody's website. */
function SealButton() {
  const { data } = useQuery(ownLeafQuery);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      disabled={!data}
      onClick={() => data && saveProof(data)}
    >
      {t`Download proof`}
    </Button>
  );
}
