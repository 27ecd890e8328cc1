import { Button, Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Opening } from '#contract/accounts/profile.ts';
import { plural, t } from '../../api/texts.ts';
import { formatDateTime, formatTime } from '../../ui/format/time.ts';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { Note, Paragraph } from '../../ui/text/paragraph.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { openingsQuery } from './queries.ts';

const SHOWN_FIRST = 3;

/** Each time an operator viewed this account, with name and reason (docs/product.md, section 8). */
export function OpeningsPanel() {
  const openings = useQuery(openingsQuery);
  const [isWhole, setWhole] = useState(false);
  const all = openings.data ?? [];
  const shown = isWhole ? all : all.slice(0, SHOWN_FIRST);
  return (
    <Panel
      title={t`Support access`}
      padded={all.length === 0}
      rule={all.length > 0}
      foot={
        all.length > shown.length && (
          <Button size="sm" variant="subtle" onClick={() => setWhole(true)}>{t`Show all ${all.length}`}</Button>
        )
      }
    >
      {openings.data === undefined ? (
        <NotLoaded query={openings} />
      ) : all.length === 0 ? (
        <Paragraph>{t`No support access yet. If support views your account to help you, you are notified at once and the visit is listed here. Support can view but not change anything.`}</Paragraph>
      ) : (
        <Rows>
          {shown.map((opening) => (
            <SupportAccess key={opening.id} opening={opening} />
          ))}
        </Rows>
      )}
    </Panel>
  );
}

function SupportAccess({ opening }: { opening: Opening }) {
  return (
    <Group component="li" gap={14} wrap="nowrap">
      <IconEye size={20} stroke={1.5} color="var(--tw-text-3)" aria-hidden />
      <div>
        <Text translate="no" fw={500}>
          {opening.name}
        </Text>
        <Note translate="no">{opening.reason}</Note>
        <Note>{spanOf(opening)}</Note>
      </div>
    </Group>
  );
}

function spanOf({ opened_at: from, ended_at: to, expires_at: until }: Opening): string {
  const startedAt = formatDateTime(from);
  if (to === null) return t`${startedAt} · open until ${formatTime(until)} UTC`;
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  return `${startedAt} · ${plural(minutes, { one: '# minute', other: '# minutes' })}`;
}
