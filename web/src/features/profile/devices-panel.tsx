import { useQuery } from '@tanstack/react-query';
import { DevicesPanel } from '../../entities/member/devices-panel.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { sessionsQuery, useEndOtherSessions, useEndSession } from './queries.ts';

/** Where the member is signed in. */
export function OwnDevicesPanel() {
  const sessions = useQuery(sessionsQuery);
  return (
    <DevicesPanel
      sessions={sessions.data}
      unknown={<NotLoaded query={sessions} />}
      endOne={useEndSession()}
      endOthers={useEndOtherSessions()}
    />
  );
}
