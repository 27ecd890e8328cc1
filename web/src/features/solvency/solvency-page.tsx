import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../ui/format/time.ts';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { StaleLine, TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { AccountsPanel } from './accounts-panel.tsx';
import { CheckedPanel, MembersPanel } from './check-panels.tsx';
import { CoverPanel } from './cover-panel.tsx';
import { SealPanel } from './liabilities-proof-panel.tsx';
import { SealButton } from './proof-button.tsx';
import { ProofPanel } from './proof-panel.tsx';
import { solvencyQuery } from './queries.ts';
import { ReportedPanel } from './reported-panel.tsx';
import classes from './solvency-page.module.css';

/** What is held, what is owed, and where every income came from, out of the ledger alone. */
export function SolvencyPage() {
  const query = useQuery(solvencyQuery);
  const solvency = query.data;
  const late = useLate(solvency === undefined && !query.isError);
  return (
    <>
      <PageHead
        title="Solvency"
        facts={solvency ? `As of ${formatDateTime(solvency.market_time)}, from the ledger alone` : '\u00a0'}
      >
        <SealButton />
      </PageHead>
      {query.isError && (
        <Panel padded={false}>{solvency ? <StaleLine query={query} /> : <TableError query={query} />}</Panel>
      )}
      {late && <Waiting />}
      {solvency && (
        <>
          <CoverPanel solvency={solvency} />
          <div className={classes.columns}>
            <AccountsPanel solvency={solvency} />
            <div className={classes.aside}>
              <SealPanel simulated={solvency.simulated} />
              {!solvency.simulated && <ReportedPanel />}
              <MembersPanel solvency={solvency} />
              <CheckedPanel checked={solvency.checked} />
            </div>
          </div>
          <ProofPanel solvency={solvency} query={query} />
        </>
      )}
    </>
  );
}

/** Still bars where the figures will be. */
function Waiting() {
  return (
    <Panel>
      <div className={classes.waiting} aria-busy="true" role="status" aria-label="Solvency is being read">
        <i style={{ width: '52%' }} />
        <i style={{ width: '34%' }} />
        <i style={{ width: '100%' }} />
        <i style={{ width: '100%' }} />
      </div>
    </Panel>
  );
}
