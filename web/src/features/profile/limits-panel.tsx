import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { OwnLimit, OwnLimits } from '#contract/accounts/sign-in.ts';
import { ownLimitRules } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { Note, Paragraph } from '../../ui/text/paragraph.tsx';
import { LimitDialog, PauseDialog } from './limit-dialogs.tsx';
import { type LimitKind, limitLabels, limitText, nextText } from './limits.ts';
import { useSetLimits } from './queries.ts';

const kinds = Object.keys(limitLabels) as LimitKind[];

/** Self-imposed limits (docs/product.md, section 8). */
export function LimitsPanel({ limits }: { limits: OwnLimits | undefined }) {
  const [asking, setAsking] = useState<LimitKind | 'pause'>();
  const close = () => setAsking(undefined);
  const isPaused = limits !== undefined && limits.paused_until !== null;
  return (
    <Panel title={t`Your limits`} padded={false}>
      <Paragraph
        maw="76ch"
        px={{ base: 'md', sm: 20 }}
        pt={4}
        pb="sm"
      >{t`Stricter limits apply immediately; relaxed limits after 24 hours. You can always close trades and withdraw.`}</Paragraph>
      <Rows rule>
        {kinds.map((kind) => (
          <LimitRow key={kind} kind={kind} limit={limits?.[kind]} onAsk={() => setAsking(kind)} />
        ))}
        <Row
          title={t`Pause`}
          value={
            limits && (limits.paused_until === null ? t`Not paused` : t`Until ${formatDateTime(limits.paused_until)}`)
          }
          note={t`Stops new trades and deposits for 1 to ${ownLimitRules.pauseMaxDays} days. You can extend a pause but not shorten it.`}
        >
          <Button variant="default" disabled={!limits} onClick={() => setAsking('pause')}>
            {isPaused ? t`Extend pause` : t`Pause`}
          </Button>
        </Row>
      </Rows>
      {limits &&
        kinds.map((kind) => (
          <LimitDialog key={kind} kind={kind} limit={limits[kind]} opened={asking === kind} onClose={close} />
        ))}
      {limits && <PauseDialog pausedUntil={limits.paused_until} opened={asking === 'pause'} onClose={close} />}
    </Panel>
  );
}

function LimitRow({ kind, limit, onAsk }: { kind: LimitKind; limit: OwnLimit | undefined; onAsk: () => void }) {
  const { title, note } = limitLabels[kind];
  const verb = limit === undefined || limit.amount === null ? t`Set` : t`Change`;
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

/** A pending change. Setting the current limit again cancels it. */
function Waiting({ kind, limit }: { kind: LimitKind; limit: OwnLimit }) {
  const set = useSetLimits();
  const next = nextText(limit);
  if (next === undefined) return null;
  return (
    <Group gap="6px 12px" my={4}>
      <Text span size="sm">
        {next}
      </Text>
      <Button
        variant="default"
        size="sm"
        disabled={set.isPending}
        aria-label={t`Keep ${limitText(limit.amount)}: ${limitLabels[kind].title}`}
        onClick={() => set.mutate({ [kind]: limit.amount })}
      >{t`Keep ${limitText(limit.amount)}`}</Button>
    </Group>
  );
}

type RowProps = {
  title: string;
  /** undefined while loading. */
  value: string | undefined;
  waiting?: ReactNode;
  note: string;
  /** Label of the button. */
  children: ReactNode;
};

function Row({ title, value, waiting, note, children }: RowProps) {
  return (
    <li>
      <Group align="flex-start" justify="space-between" wrap="nowrap">
        <div>
          <Text component="h3" size="sm" fw={400} c="var(--tw-text-2)">
            {title}
          </Text>
          <Text size="lg" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {value ?? '–'}
          </Text>
        </div>
        {children}
      </Group>
      {waiting}
      <Note maw="64ch" mt={2}>
        {note}
      </Note>
    </li>
  );
}
