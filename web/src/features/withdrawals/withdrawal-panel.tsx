import { ActionIcon, Box, Button, Divider, Group, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Withdrawal, WithdrawalDetail } from '#contract/funds/withdrawals.ts';
import { t } from '../../api/texts.ts';
import { useRefreshOnChange } from '../../api/trading-queries.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { AskAbout } from '../../ui/forms/ask-about.tsx';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx';
import { CopyText } from '../../ui/forms/copy-button.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { StateMessage } from '../../ui/state/state-message.tsx';
import { StatusSteps } from '../../ui/state/status-steps.tsx';
import { useLate } from '../../ui/table/data-table-states.tsx';
import { ItemError } from '../../ui/table/item-error.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { CodeText, shorten, Trans } from '../../ui/text/text.tsx';
import { GroupedText, TextBox } from '../../ui/text/text-box.tsx';
import { useCancelWithdrawal, withdrawalQuery } from './queries.ts';
import { isInProgress, networkName, paidAs, stepLabels, withdrawalText } from './withdrawal-labels.ts';

type WithdrawalPanelProps = {
  id: string;
  /** The target of the close button, where the panel can be closed. */
  closeTo?: { search: string } | undefined;
  /** Further actions. */
  foot?: ReactNode;
};

/** One withdrawal: its state, amount and address, and every status event. */
export function WithdrawalPanel({ id, closeTo, foot }: WithdrawalPanelProps) {
  const query = useQuery(withdrawalQuery(id));
  const heading = useRef<HTMLSpanElement>(null);
  const withdrawal = query.data;
  const late = useLate(query.isPending);
  useRefreshOnChange(withdrawal);

  // An opened withdrawal is scrolled to and focused.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another withdrawal is another place to go to
  useEffect(() => heading.current?.focus(), [id]);

  return (
    <Panel
      title={
        <span ref={heading} tabIndex={-1} style={{ outline: 0 }}>
          {withdrawal ? <CodeText>{withdrawal.reference}</CodeText> : t`Withdrawal`}
        </span>
      }
      control={
        <>
          {withdrawal && <StateBadge of="withdrawal" state={withdrawal.state} />}
          {closeTo && (
            <ActionIcon component={Link} to={closeTo} preventScrollReset size="sm" aria-label={t`Close withdrawal`}>
              <IconX size={16} stroke={1.5} aria-hidden />
            </ActionIcon>
          )}
        </>
      }
    >
      {/* Approximately its final height, so that the list below does not shift. */}
      {query.isPending && <Box mih={720}>{late && t`Loading the withdrawal…`}</Box>}
      {query.isError && withdrawal === undefined && (
        <ItemError query={query} noun="withdrawal" list={paths.withdrawalHistory} />
      )}
      {withdrawal && <Known withdrawal={withdrawal} foot={foot} />}
    </Panel>
  );
}

function Known({ withdrawal, foot }: { withdrawal: WithdrawalDetail; foot: ReactNode }) {
  const { state, note, network, transaction } = withdrawal;
  return (
    <Stack>
      <StateMessage {...withdrawalText(withdrawal)} />
      {note !== null && (
        <Box
          px={14}
          py={10}
          fz="sm"
          lh="1.25rem"
          bg="var(--tw-surface-2)"
          style={{ borderLeft: '2px solid var(--tw-line-strong)', overflowWrap: 'anywhere' }}
        >
          {note}
        </Box>
      )}
      <Figure
        label={state === 'completed' ? t`Paid` : isInProgress(state) ? t`To be paid` : t`Would have been paid`}
        size="xl"
        foot={paidAs(network)}
      >
        <Money value={withdrawal.net} />
      </Figure>
      <KeyValues
        rule
        items={[
          [t`Amount`, <Money key="amount" value={withdrawal.amount} />],
          [t`Fee`, <Money key="fee" value={withdrawal.fee} />],
          [t`From`, walletNames[withdrawal.wallet_type]],
          [t`Requested`, formatDateTime(withdrawal.created_at)],
        ]}
      />
      <TextBox label={t`Payout address, network ${networkName(network)}`}>
        <GroupedText>{withdrawal.address}</GroupedText>
      </TextBox>
      {transaction !== null && (
        <TextBox label={t`Transaction`} copy={<CopyText value={transaction} variant="subtle" size="sm" />}>
          <CodeText>{transaction}</CodeText>
        </TextBox>
      )}
      <Divider color="var(--tw-line)" />
      <StatusSteps label={t`Steps of this withdrawal`} steps={stepsOf(withdrawal)} />
      {(state === 'requested' || foot) && (
        <Group gap="xs">
          {state === 'requested' && <CancelWithdrawal withdrawal={withdrawal} />}
          {foot}
        </Group>
      )}
      <Text>
        <AskAbout kind="withdrawal" id={withdrawal.id} label={withdrawal.reference} />
      </Text>
    </Stack>
  );
}

/** Status events, oldest first, with their notes; a note shown above is not repeated. */
const stepsOf = ({ steps, state: now, note: said }: WithdrawalDetail) =>
  steps.map(({ state, note, at }, index) => {
    const isLast = index === steps.length - 1;
    return {
      title: stepLabels[state],
      detail: formatDateTime(at),
      note: note === null || note === said ? undefined : note,
      at:
        isLast && isInProgress(now)
          ? ('current' as const)
          : isLast && state !== 'completed'
            ? ('stopped' as const)
            : ('done' as const),
    };
  });

/** Cancels a withdrawal that is not approved yet, after confirming the amount that is returned. */
function CancelWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancelWithdrawal();
  const amount = formatMoney(withdrawal.amount, 'typed');
  const wallet = walletNames[withdrawal.wallet_type];

  const confirm = () =>
    cancel.mutate(withdrawal.id, {
      onSuccess: () => {
        toast.success(t`Withdrawal cancelled`, t`${amount} is back in your ${wallet}`);
        setAsking(false);
      },
    });

  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>{t`Cancel withdrawal`}</Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t`Cancel ${withdrawal.reference}?`}
        keep={t`Keep withdrawal`}
        confirm={t`Cancel withdrawal`}
        busy={cancel.isPending}
        busyLabel={t`Cancelling`}
        refused={cancel.error}
        onConfirm={confirm}
      >
        <p>
          <Trans
            text={t`<amount/> returns to your <wallet/> immediately. Nothing is paid to ${shorten(withdrawal.address)} on ${networkName(withdrawal.network)}.`}
            amount={<b>{amount}</b>}
            wallet={<b>{wallet}</b>}
          />
        </p>
      </ConfirmDialog>
    </>
  );
}
