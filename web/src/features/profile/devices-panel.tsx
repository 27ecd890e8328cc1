import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuthSession } from '#contract/account.ts';
import { formatDateTime } from '../../shared/format/time.ts';
import { toast } from '../../shared/toast.ts';
import { Ask } from '../../shared/ui/ask.tsx';
import { CodeText } from '../../shared/ui/code-text.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { StateBadge } from '../../shared/ui/state-badge.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { sessionsQuery, useEndOtherSessions, useEndSession } from './queries.ts';
import classes from './security.module.css';

/** More are a press away: a list of hundred would bury the page. */
const SHOWN_FIRST = 5;

/** Where the account is open, and how to close it there. */
export function DevicesPanel() {
  const sessions = useQuery(sessionsQuery);
  const [isWhole, setWhole] = useState(false);
  const [asking, setAsking] = useState<AuthSession | 'others'>();
  const close = () => setAsking(undefined);
  const all = (sessions.data ?? []).toSorted((a, b) => Number(b.current) - Number(a.current));
  const others = all.filter(({ current }) => !current);
  const shown = isWhole ? all : all.slice(0, SHOWN_FIRST);

  return (
    <Panel
      title="Signed-in devices"
      padded={false}
      rule
      control={
        others.length > 0 && (
          <Button size="sm" variant="default" onClick={() => setAsking('others')}>
            Sign out all others
          </Button>
        )
      }
      foot={
        all.length > shown.length && (
          <Button size="sm" variant="subtle" onClick={() => setWhole(true)}>
            Show all {all.length}
          </Button>
        )
      }
    >
      {sessions.data ? (
        <ul className={classes.devices}>
          {shown.map((session) => (
            <Device key={session.id} session={session} onEnd={() => setAsking(session)} />
          ))}
        </ul>
      ) : (
        <div className={classes.unknown}>
          <NotLoaded query={sessions} />
        </div>
      )}
      <EndOne session={typeof asking === 'object' ? asking : undefined} onClose={close} />
      <EndOthers count={others.length} opened={asking === 'others'} onClose={close} />
    </Panel>
  );
}

function Device({ session, onEnd }: { session: AuthSession; onEnd: () => void }) {
  const Icon = /Android|iPhone/.test(session.device) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes.device}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <div>
        <div className={classes.name}>
          {session.device}
          {session.current && <StateBadge of="security" state="current" />}
        </div>
        <div className={classes.facts}>
          <CodeText>{session.address}</CodeText> · last used {formatDateTime(session.last_used_at)}
        </div>
        <div className={classes.facts}>Signed in {formatDateTime(session.created_at)}</div>
      </div>
      {!session.current && (
        <Button size="sm" variant="default" aria-label={`Sign out: ${session.device}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** The words stay while the dialog closes, so the last one asked about is kept. */
function EndOne({ session, onClose }: { session: AuthSession | undefined; onClose: () => void }) {
  const end = useEndSession();
  const [last, setLast] = useState(session);
  if (session !== undefined && session !== last) setLast(session);
  return (
    <Ask
      opened={session !== undefined}
      onClose={onClose}
      title="Sign this device out?"
      keep="Keep it"
      confirm="Sign out"
      busy={end.isPending}
      busyLabel="Signing out"
      onConfirm={() => {
        if (session === undefined) return;
        end.mutate(session.id, {
          onSuccess: () => toast.success('Signed out', session.device),
          onSettled: onClose,
        });
      }}
    >
      <p>
        <b>{last?.device}</b>
        {last && `, last used ${formatDateTime(last.last_used_at)}, has to sign in again.`}
      </p>
      <p>If you do not know it, change your password as well.</p>
    </Ask>
  );
}

function EndOthers({ count, opened, onClose }: { count: number; opened: boolean; onClose: () => void }) {
  const end = useEndOtherSessions();
  return (
    <Ask
      opened={opened}
      onClose={onClose}
      title="Sign out all others?"
      keep="Keep them"
      confirm="Sign out all others"
      busy={end.isPending}
      busyLabel="Signing out"
      onConfirm={() =>
        end.mutate(undefined, {
          onSuccess: ({ ended }) => toast.success('Signed out', ended === 1 ? '1 device' : `${ended} devices`),
          onSettled: onClose,
        })
      }
    >
      <p>
        {count === 1 ? '1 device has' : `${count} devices have`} to sign in again. You stay signed in on this device.
      </p>
    </Ask>
  );
}
