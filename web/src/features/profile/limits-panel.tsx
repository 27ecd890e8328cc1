import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { OwnLimit, OwnLimits } from '#contract/accounts/sign-in.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import { type LimitKind, limitText, limitWords, nextText } from './limit-labels.ts';
import classes from './limits-panel.module.css';
import { PauseDialog } from './pause-dialog.tsx';
import { useSetLimits } from './queries.ts';

const kinds = Object.keys(limitWords) as LimitKind[];

/** What the member limits themselves to: in force, waiting, and how to change it (docs/product.md, section 8). */
export function LimitsPanel({ limits }: { limits: OwnLimits | undefined }) {
  const [asking, setAsking] = useState<LimitKind | 'pause'>();
  const close = () => setAsking(undefined);
  const isPaused = limits !== undefined && limits.paused_until !== null;
  return (
    <Panel title="Your limits" padded={false}>
      <p className={classes.lead}>
        What is tighter is in force at once, what is looser after 24 hours. Closing a trade and withdrawing are never
        blocked.
      </p>
      <ul className={classes.rows}>
        {kinds.map((kind) => (
          <LimitRow key={kind} kind={kind} limit={limits?.[kind]} onAsk={() => setAsking(kind)} />
        ))}
        <Row
          title="Pause"
          value={
            limits && (limits.paused_until === null ? 'Not paused' : `Until ${formatDateTime(limits.paused_until)}`)
          }
          note="No new trades and no new deposits for 1 to 90 days. A pause can be made longer, never shorter."
        >
          <Button variant="default" disabled={!limits} onClick={() => setAsking('pause')}>
            {isPaused ? 'Pause longer' : 'Pause'}
          </Button>
        </Row>
      </ul>
      {limits &&
        kinds.map((kind) => (
          <LimitDialog key={kind} kind={kind} limit={limits[kind]} opened={asking === kind} onClose={close} />
        ))}
      {limits && <PauseDialog pausedUntil={limits.paused_until} opened={asking === 'pause'} onClose={close} />}
    </Panel>
  );
}

type LimitRowProps = { kind: LimitKind; limit: OwnLimit | undefined; onAsk: () => void };

function LimitRow({ kind, limit, onAsk }: LimitRowProps) {
  const { title, note } = limitWords[kind];
  const verb = limit === undefined || limit.amount === null ? 'Set' : 'Change';
  return (
    <Row
      title={title}
      value={limit && limitText(limit.amount)}
      waiting={limit && <Waiting kind={kind} limit={limit} />}
      note={note}
    >
      <Button variant="default" disabled={!limit} aria-label={`${verb}: ${title}`} onClick={onAsk}>
        {verb}
      </Button>
    </Row>
  );
}

/** What follows and when, and the way to take it back: the limit in force, asked for again. */
function Waiting({ kind, limit }: { kind: LimitKind; limit: OwnLimit }) {
  const set = useSetLimits();
  const next = nextText(limit);
  if (next === undefined) return null;
  return (
    <p className={classes.waiting}>
      <span>{next}</span>
      <Button
        variant="default"
        size="sm"
        disabled={set.isPending}
        aria-label={`Keep ${limitText(limit.amount)}: ${limitWords[kind].title}`}
        onClick={() => set.mutate({ [kind]: limit.amount })}
      >
        Keep {limitText(limit.amount)}
      </Button>
    </p>
  );
}

type RowProps = {
  title: string;
  /** undefined while it is not known. */
  value: string | undefined;
  waiting?: ReactNode;
  note: string;
  /** The button. */
  children: ReactNode;
};

function Row({ title, value, waiting, note, children }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        <div>
          <h3>{title}</h3>
          <p className={classes.value}>{value ?? '–'}</p>
        </div>
        {children}
      </div>
      {waiting}
      <p className={classes.note}>{note}</p>
    </li>
  );
}
