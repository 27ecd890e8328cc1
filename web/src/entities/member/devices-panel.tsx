import { Box, Button, Group } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AuthSession } from '#contract/accounts/profile.ts';
import { plural, t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx';
import { useLast } from '../../ui/forms/dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { CodeText, Trans } from '../../ui/text/text.tsx';

/** The rest is one press away: a list of hundreds would bury the page. */
const SHOWN_FIRST = 5;

type DevicesPanelProps = {
  /** Undefined while loading. */
  sessions: readonly AuthSession[] | undefined;
  /** Shown instead while loading. */
  unknown: ReactNode;
  endOne: UseMutationResult<unknown, Error, string>;
  endOthers: UseMutationResult<{ ended: number }, Error, void>;
};

/** Signed-in devices and how to sign them out: for members and operators alike. */
export function DevicesPanel({ sessions, unknown, endOne, endOthers }: DevicesPanelProps) {
  const [isWhole, setWhole] = useState(false);
  const [asking, setAsking] = useState<AuthSession | 'others'>();
  const close = () => setAsking(undefined);
  const all = (sessions ?? []).toSorted((a, b) => Number(b.current) - Number(a.current));
  const others = all.filter(({ current }) => !current);
  const shown = isWhole ? all : all.slice(0, SHOWN_FIRST);

  return (
    <Panel
      title={t`Devices`}
      padded={false}
      rule
      control={
        others.length > 0 && (
          <Button size="sm" variant="default" onClick={() => setAsking('others')}>
            {t`Sign out other devices`}
          </Button>
        )
      }
      foot={
        all.length > shown.length && (
          <Button size="sm" variant="subtle" onClick={() => setWhole(true)}>
            {t`Show all ${all.length}`}
          </Button>
        )
      }
    >
      {sessions ? (
        <Rows>
          {shown.map((session) => (
            <Device key={session.id} session={session} onEnd={() => setAsking(session)} />
          ))}
        </Rows>
      ) : (
        <Box px={{ base: 'md', sm: 20 }} py="md">
          {unknown}
        </Box>
      )}
      <EndOne end={endOne} session={typeof asking === 'object' ? asking : undefined} onClose={close} />
      <EndOthers end={endOthers} count={others.length} opened={asking === 'others'} onClose={close} />
    </Panel>
  );
}

function Device({ session, onEnd }: { session: AuthSession; onEnd: () => void }) {
  const Icon = /Android|iPhone/.test(session.device) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <Group component="li" gap={14} wrap="nowrap">
      <Icon size={20} stroke={1.5} color="var(--tw-text-3)" aria-hidden />
      <Box flex={1} miw={0}>
        <Group gap="4px 10px" fw={500}>
          {session.device}
          {session.current && <StateBadge of="security" state="current" />}
        </Group>
        <Note style={{ overflowWrap: 'anywhere' }}>
          <CodeText>{session.address}</CodeText> · {t`last used ${formatDateTime(session.last_used_at)}`}
        </Note>
        <Note>{t`Signed in ${formatDateTime(session.created_at)}`}</Note>
      </Box>
      {!session.current && (
        <Button size="sm" variant="default" aria-label={t`Sign out: ${session.device}`} onClick={onEnd}>
          {t`Sign out`}
        </Button>
      )}
    </Group>
  );
}

function EndOne({
  end,
  session,
  onClose,
}: {
  end: DevicesPanelProps['endOne'];
  session: AuthSession | undefined;
  onClose: () => void;
}) {
  const last = useLast(session);
  return (
    <ConfirmDialog
      opened={session !== undefined}
      onClose={onClose}
      title={t`Sign out this device?`}
      keep={t`Cancel`}
      confirm={t`Sign out`}
      busy={end.isPending}
      busyLabel={t`Signing out`}
      refused={end.error}
      onConfirm={() => {
        if (session === undefined) return;
        end.mutate(session.id, {
          onSuccess: () => {
            toast.success(t`Signed out`, session.device);
            onClose();
          },
        });
      }}
    >
      <p>
        {last && (
          <Trans
            text={t`<device/>, last used ${formatDateTime(last.last_used_at)}, will have to sign in again.`}
            device={<b>{last.device}</b>}
          />
        )}
      </p>
      <p>{t`If you do not recognise this device, change your password too.`}</p>
    </ConfirmDialog>
  );
}

function EndOthers({
  end,
  count,
  opened,
  onClose,
}: {
  end: DevicesPanelProps['endOthers'];
  count: number;
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Sign out other devices?`}
      keep={t`Cancel`}
      confirm={t`Sign out other devices`}
      busy={end.isPending}
      busyLabel={t`Signing out`}
      refused={end.error}
      onConfirm={() =>
        end.mutate(undefined, {
          onSuccess: ({ ended }) => {
            toast.success(t`Signed out`, plural(ended, { one: '# device', other: '# devices' }));
            onClose();
          },
        })
      }
    >
      <p>
        {plural(count, {
          one: '# device will have to sign in again. You stay signed in on this device.',
          other: '# devices will have to sign in again. You stay signed in on this device.',
        })}
      </p>
    </ConfirmDialog>
  );
}
