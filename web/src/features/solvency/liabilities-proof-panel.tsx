import { Text } from '@mantine/core';
import { IconAlertTriangle, IconHourglass, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type LeafText, leafAccounts, type SnapshotText } from '#contract/solvency/merkle-sum.ts';
import { useMember } from '../../api/sign-in-state.ts';
import { formatDate, formatTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { TableError } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Money } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { checkSeal, faultWords, type SealCheck, type Step } from './check-proof.ts';
import classes from './liabilities-proof-panel.module.css';
import { ownLeafQuery, snapshotQuery } from './queries.ts';
import { SimulatedLabel } from './simulated-label.tsx';

const MICROS = 1_000_000;

const balanceWords: Readonly<Record<(typeof leafAccounts)[number], string>> = {
  primary: 'Primary Wallet',
  profit: 'Profit Wallet',
  trade_escrow: 'In open trades',
  investment: 'In plans',
  withdrawal_hold: 'Held for a withdrawal',
};

/** Whether the own balances are counted in what members are owed, found out here and not on the server. */
export function SealPanel({ simulated }: { simulated: boolean }) {
  const [published, own] = [useQuery(snapshotQuery), useQuery(ownLeafQuery)];
  const code = useMember()?.referral_code;
  const check = useMemo(
    () =>
      published.data === undefined || own.data === undefined || code === undefined
        ? undefined
        : checkSeal(published.data, own.data, code),
    [published.data, own.data, code],
  );
  const failed = [published, own].find((query) => query.isError && query.data === undefined);
  const checkAgain = () => Promise.all([published.refetch(), own.refetch()]);
  return (
    <Panel title="Your balances in the seal" control={check && <CheckBadge check={check} />}>
      {failed && <TableError query={{ ...failed, refetch: checkAgain }} />}
      {check?.state === 'waiting' && <Waiting isFirst={check.isFirst} />}
      {check?.state === 'wrong' && <Wrong check={check} no={published.data?.no} />}
      {check?.state === 'counted' && own.data?.leaf && (
        <Counted leaf={own.data.leaf} steps={check.steps} snapshot={own.data.snapshot} simulated={simulated} />
      )}
      {check && check.state !== 'waiting' && (
        <>
          <BusyButton
            className={classes.again ?? ''}
            variant="default"
            fullWidth
            leftSection={<IconShieldCheck size={16} stroke={1.5} aria-hidden />}
            busy={published.isFetching || own.isFetching}
            busyLabel="Checking"
            onClick={() => void checkAgain()}
          >
            Check again in this browser
          </BusyButton>
          <Text mt={12} c="dimmed" fz="xs" lh="16px">
            Checked at {formatTime(Math.min(published.dataUpdatedAt, own.dataUpdatedAt))} UTC. The check runs here, not
            on our server.
          </Text>
        </>
      )}
    </Panel>
  );
}

function CheckBadge({ check: { state } }: { check: SealCheck }) {
  const words = { counted: 'Counted', waiting: 'Not yet in a seal', wrong: 'Does not fit' } as const;
  return (
    <StateBadge of="seal" state={state}>
      {words[state]}
    </StateBadge>
  );
}

function Waiting({ isFirst }: { isFirst: boolean }) {
  return (
    <ListState
      icon={<IconHourglass size={20} stroke={1.5} />}
      title={isFirst ? 'No seal yet' : 'You joined after the last seal'}
    >
      What members are owed is sealed once a market day. Your balances are in the next one.
    </ListState>
  );
}

function Wrong({ check, no }: { check: Extract<SealCheck, { state: 'wrong' }>; no: string | undefined }) {
  return (
    <ListState error icon={<IconAlertTriangle size={20} stroke={1.5} />} title={faultWords[check.fault]}>
      Download the seal and keep it: it is the proof. Then check again, and if it still does not fit, write to{' '}
      <SupportLink />
      {no && <> about seal {no}</>}.
    </ListState>
  );
}

type CountedProps = { leaf: LeafText; steps: readonly Step[]; snapshot: SnapshotText; simulated: boolean };

function Counted({ leaf, steps, snapshot, simulated }: CountedProps) {
  const micros = leafAccounts.map((name) => [name, BigInt(leaf.balances_micros[name])] as const);
  const together = micros.reduce((sum, [, amount]) => sum + amount, 0n);
  return (
    <>
      <KeyValues
        rule
        items={micros.map(([name, amount]) => [
          balanceWords[name],
          <Money key={name} value={Number(amount) / MICROS} />,
        ])}
      />
      <div className={classes.together}>
        <KeyValues items={[['Together', <Money key="sum" value={Number(together) / MICROS} />]]} />
      </div>
      <div className={classes.sealed}>
        <span>
          Seal {snapshot.no}, made on {formatDate(snapshot.market_day)}
        </span>
        <SimulatedLabel simulated={simulated} />
      </div>
      <h3 className={classes.way}>
        From your leaf to the root, {leaf.path.length} {leaf.path.length === 1 ? 'step' : 'steps'}
      </h3>
      <ol className={classes.steps}>
        {steps.map(({ label, hash }) => (
          <li key={label}>
            <span>{label}</span>
            <code>{hash}</code>
          </li>
        ))}
      </ol>
    </>
  );
}
