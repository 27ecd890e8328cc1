import { useQuery } from '@tanstack/react-query';
import { useOperator } from '../../../api/operator-state.ts';
import { DevicesPanel } from '../../../entities/member/devices-panel.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { DeskError, DeskLoading } from '../kit/list-states.tsx';
import classes from './account.module.css';
import { PasswordPanel } from './password-panel.tsx';
import { ownSessionsQuery, useEndOtherSessions, useEndSession } from './queries.ts';

/** The operator's own account: where it is signed in, and its password. */
export function AccountPage() {
  const operator = useOperator();
  const sessions = useQuery(ownSessionsQuery);
  return (
    <>
      <PageHead title="Your account" facts={operator && `${operator.name}, ${operator.email}, ${operator.role}`} />
      <div className={classes.columns}>
        <DevicesPanel
          sessions={sessions.data}
          unknown={
            sessions.isError ? <DeskError query={sessions} title="The list could not be loaded" /> : <DeskLoading />
          }
          endOne={useEndSession()}
          endOthers={useEndOtherSessions()}
        />
        {operator && <PasswordPanel email={operator.email} />}
      </div>
    </>
  );
}
