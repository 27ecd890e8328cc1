import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Opening } from '#contract/accounts/profile.ts';
import list from '../../entities/member/device-list.module.css';
import { formatDateTime, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { openingsQuery } from './queries.ts';
import classes from './security.module.css';

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
        <p className={classes.words}>
          Nobody has opened your account. When somebody of support does, to help, you are told at once and find it here.
          They can read and change nothing.
        </p>
      ) : (
        <ul className={list.devices}>
          {shown.map((opening) => (
            <OneOpening key={opening.id} opening={opening} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function OneOpening({ opening }: { opening: Opening }) {
  return (
    <li className={list.device}>
      <IconEye size={20} stroke={1.5} aria-hidden />
      <div>
        <div className={list.name}>{opening.name}</div>
        <div className={list.facts}>{opening.reason}</div>
        <div className={list.facts}>{spanOf(opening)}</div>
      </div>
    </li>
  );
}

/** `4 Mar 2026, 14:05 UTC · 12 minutes`, and while it lasts `… · open until 14:35 UTC`. */
function spanOf({ opened_at: from, ended_at: to, expires_at: until }: Opening): string {
  const begun = formatDateTime(from);
  if (to === null) return `${begun} · open until ${formatTime(until)} UTC`;
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  return `${begun} · ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
