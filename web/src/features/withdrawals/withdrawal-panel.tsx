import { ActionIcon, Button, CopyButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { WithdrawalDetail } from '#contract/funds/withdrawals.ts';
import { CallError } from '../../api/call.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { AskAbout } from '../../ui/forms/ask-about.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type ListQuery, TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { CodeText } from '../../ui/text/code-text.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { CancelWithdrawal } from './cancel-withdrawal.tsx';
import { GroupedAddress } from './grouped-address.tsx';
import { withdrawalQuery } from './queries.ts';
import { useRefreshOnChange } from './use-refresh-on-change.ts';
import { isOnItsWay, networkName, paidAs, withdrawalWords } from './withdrawal-labels.ts';
import classes from './withdrawal-panel.module.css';
import { WithdrawalSteps } from './withdrawal-steps.tsx';

type WithdrawalPanelProps = {
  id: string;
  /** Where the panel can be closed: what the close button leads to. */
  closeTo?: { search: string } | undefined;
  /** What else can be done from here. */
  foot?: ReactNode;
};

/** One withdrawal: how it stands, what is paid to where, and every step it took. */
export function WithdrawalPanel({ id, closeTo, foot }: WithdrawalPanelProps) {
  const query = useQuery(withdrawalQuery(id));
  const heading = useRef<HTMLSpanElement>(null);
  const withdrawal = query.data;
  const late = useLate(query.isPending);
  useRefreshOnChange(withdrawal);

  // Whoever opens one is taken to it, with the eyes and with the keyboard.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another withdrawal is another place to go to
  useEffect(() => heading.current?.focus(), [id]);

  return (
    <Panel
      title={
        <span className={classes.heading} ref={heading} tabIndex={-1}>
          {withdrawal ? <CodeText>{withdrawal.reference}</CodeText> : 'Withdrawal'}
        </span>
      }
      control={
        <>
          {withdrawal && <StateBadge of="withdrawal" state={withdrawal.state} />}
          {closeTo && (
            <ActionIcon component={Link} to={closeTo} preventScrollReset size="sm" aria-label="Close the withdrawal">
              <IconX size={16} stroke={1.5} />
            </ActionIcon>
          )}
        </>
      }
    >
      {late && <p>Loading the withdrawal…</p>}
      {query.isError && withdrawal === undefined && <WithdrawalError query={query} />}
      {withdrawal && <Known withdrawal={withdrawal} foot={foot} />}
    </Panel>
  );
}

function Known({ withdrawal, foot }: { withdrawal: WithdrawalDetail; foot: ReactNode }) {
  const words = withdrawalWords(withdrawal);
  const { state, note, network } = withdrawal;
  return (
    <div className={classes.stack}>
      <div className={classes.words} role="status">
        <b>{words.title}</b>
        <p>{words.next}</p>
      </div>
      {note !== null && <p className={classes.reason}>{note}</p>}
      <Figure
        label={state === 'completed' ? 'Paid' : isOnItsWay(state) ? 'To be paid' : 'Would have been paid'}
        size="xl"
        foot={paidAs(network)}
      >
        <Money value={withdrawal.net} />
      </Figure>
      <KeyValues
        rule
        items={[
          ['Amount', <Money key="amount" value={withdrawal.amount} />],
          ['Fee', <Money key="fee" value={withdrawal.fee} />],
          ['From', walletNames[withdrawal.wallet_type]],
          ['Asked', formatDateTime(withdrawal.created_at)],
        ]}
      />
      <div>
        <div className={classes.label}>To, network {networkName(network)}</div>
        <div className={classes.box}>
          <GroupedAddress address={withdrawal.address} />
        </div>
      </div>
      {withdrawal.transaction !== null && <Transaction hash={withdrawal.transaction} />}
      <WithdrawalSteps steps={withdrawal.steps} isOpen={isOnItsWay(state)} said={note} />
      {(state === 'requested' || foot) && (
        <div className={classes.actions}>
          {state === 'requested' && <CancelWithdrawal withdrawal={withdrawal} />}
          {foot}
        </div>
      )}
      <p>
        <AskAbout kind="withdrawal" id={withdrawal.id} label={withdrawal.reference} />
      </p>
    </div>
  );
}

function Transaction({ hash }: { hash: string }) {
  return (
    <div>
      <div className={classes.label}>Transaction</div>
      <div className={`${classes.box} ${classes.hash}`}>
        <span>
          <CodeText>{hash}</CodeText>
        </span>
        <CopyButton value={hash} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="subtle"
              size="sm"
              onClick={copy}
              leftSection={copied ? <IconCheck size={14} stroke={1.5} /> : <IconCopy size={14} stroke={1.5} />}
            >
              <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
            </Button>
          )}
        </CopyButton>
      </div>
    </div>
  );
}

/** One that is not there, or not yours, is said as that; anything else may work at the next try. */
function WithdrawalError({ query }: { query: ListQuery }) {
  const { error } = query;
  if (!(error instanceof CallError) || (error.status !== 404 && error.status !== 422))
    return <TableError query={query} />;
  return (
    <ListState
      error
      icon={<IconAlertTriangle size={20} stroke={1.5} />}
      title="This withdrawal does not exist."
      action={
        <Button component={Link} to={paths.withdrawalHistory} variant="default">
          Your withdrawals
        </Button>
      }
    >
      The address may be mistyped. Your money is not affected.
    </ListState>
  );
}
