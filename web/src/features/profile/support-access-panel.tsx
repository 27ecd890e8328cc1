import { Button, Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Opening } from '#contract/accounts/profile.ts';
import { formatDateTime, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { Rows } from '../../ui/frame/rows.tsx';
import { Words } from '../../ui/text/words.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { openingsQuery } from './queries.ts';

const SHOWN_FIRST = 3;

/** When the people who run the product looked at this account, who it was and why. */
export function OpeningsPanel() {
  const openings = useQuery(openingsQuery);
  const [isWhole, setWhole] = useState(false);
  const all = openings.data ?? [];
  const shown = isWhole ? all : all.slice(0, SHOWN_FIRST);
  return (
    <Panel
      title="Opened by support"
      padded={all.length === 0}
      rule={all.length > 0}
      foot={
        all.length > shown.length && (
          <Button size="sm" variant="subtle" onClick={() => setWhole(true)}>
            Show all {all.length}
          </Button>
        )
      }
    >
      {openings.data === undefined ? (
        <NotLoaded query={openings} />
      ) : all.length === 0 ? (
        <Words>
          Nobody has opened your account. When somebody of support does, to help, you are told at once and find it here.
          They can read and change nothing.
        </Words>
      ) : (
        <Rows>
          {shown.map((opening) => (
            <OneOpening key={opening.id} opening={opening} />
          ))}
        </Rows>
      )}
    </Panel>
  );
}

function OneOpening({ opening }: { opening: Opening }) {
  return (
    <Group component="li" gap={14} wrap="nowrap">
      <IconEye size={20} stroke={1.5} color="var(--tw-text-3)" aria-hidden />
      <div>
        <Text fw={500}>{opening.name}</Text>
        <Text size="xs" c="dimmed">
          {opening.reason}
        </Text>
        <Text size="xs" c="dimmed">
          {spanOf(opening)}
        </Text>
      </div>
    </Group>
  );
}

/** `4 Mar 2026, 14:05 UTC · 12 minutes`, and while it lasts `… · open until 14:35 UTC`. */
function spanOf({ opened_at: from, ended_at: to, expires_at: until }: Opening): string {
  const begun = formatDateTime(from);
  if (to === null) return `${begun} · open until ${formatTime(until)} UTC`;
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  return `${begun} · ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
