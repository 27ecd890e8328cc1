import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Ref } from 'react';
import { Link } from 'react-router';
import type { Deposit } from '#contract/funds/deposits.ts';
import { t } from '../../../api/texts.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { paths, tradeSearch } from '../../../ui/paths.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { StateWords } from '../../../ui/state/state-words.tsx';
import { type StatusStep, StatusSteps } from '../../../ui/state/status-steps.tsx';
import { StepTitle } from '../../../ui/state/step-title.tsx';
import { useLate } from '../../../ui/table/data-table-states.tsx';
import { ItemError } from '../../../ui/table/item-error.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { depositSteps, isOpen } from './deposit-labels.ts';
import { DepositState } from './deposit-state.tsx';
import { Currency, OpenInvoice } from './open-invoice.tsx';

/** Before a deposit is started. */
const stepsToCome: readonly StatusStep[] = [
  { title: t`Created`, detail: t`An invoice for this deposit`, at: 'ahead' },
  { title: t`Payment detected`, detail: t`Then it is confirmed`, at: 'ahead' },
  { title: t`Credited`, detail: t`To the Primary Wallet`, at: 'ahead' },
];

type PayPanelProps = {
  /** The chosen deposit's query; undefined while none is chosen. */
  query: UseQueryResult<Deposit> | undefined;
  headingRef: Ref<HTMLDivElement>;
};

/** Step 2: the invoice while it is open, and its outcome afterwards. */
export function PayPanel({ query, headingRef }: PayPanelProps) {
  const deposit = query?.data;
  const late = useLate(query?.isPending === true);
  return (
    <Panel
      title={<StepTitle number={2} at={deposit && 'current'} ref={headingRef}>{t`Pay`}</StepTitle>}
      control={
        deposit && (
          <>
            <StateBadge of="deposit" state={deposit.state} />
            <Text span size="xs">
              <CodeText>{deposit.reference}</CodeText>
            </Text>
          </>
        )
      }
    >
      {query === undefined && <NotStarted />}
      {query?.isError && deposit === undefined && (
        <ItemError query={query} noun="deposit" list={paths.depositHistory} />
      )}
      {late && <Text c="dimmed">{t`Loading the invoice…`}</Text>}
      {deposit &&
        (isOpen(deposit.state) ? <OpenInvoice key={deposit.id} deposit={deposit} /> : <Outcome deposit={deposit} />)}
    </Panel>
  );
}

function NotStarted() {
  return (
    <Stack>
      <StateWords
        title={t`Your invoice opens here`}
        next={t`Enter an amount and start the deposit. You get a QR code and a payment link, the time left to pay, and each step as it happens.`}
      />
      <Divider my={4} color="var(--tw-line)" />
      <StatusSteps across label={t`Steps of this deposit`} steps={stepsToCome} />
    </Stack>
  );
}

/** Final states and review: nothing is left to pay. */
function Outcome({ deposit }: { deposit: Deposit }) {
  return (
    <Stack>
      <Figure label={deposit.credited === null ? t`Requested` : t`Credited`} size="xl">
        {formatMoney(deposit.credited ?? deposit.amount, 'typed').slice(1)} <Currency>{deposit.currency}</Currency>
      </Figure>
      <DepositState deposit={deposit} />
      {deposit.state === 'credited' && (
        <Group gap="8px 12px">
          <Button component={Link} to={paths.fund} variant="default">{t`View assets`}</Button>
          <Button component={Link} to={`${paths.dashboard}${tradeSearch()}`}>{t`Trade`}</Button>
        </Group>
      )}
      <KeyValues rule items={factsOf(deposit)} />
      <Divider my={4} color="var(--tw-line)" />
      <StatusSteps across label={t`Steps of this deposit`} steps={depositSteps(deposit)} />
    </Stack>
  );
}

const factsOf = (deposit: Deposit) => [
  ...(deposit.credited === null
    ? []
    : [[t`Requested`, <Money key="asked" value={deposit.amount} decimals="typed" />] as const]),
  [t`Started`, formatDateTime(deposit.created_at)] as const,
  [t`Last updated`, formatDateTime(deposit.updated_at)] as const,
  ...(deposit.transaction === null
    ? []
    : [[t`Transaction`, <CodeText key="transaction">{deposit.transaction}</CodeText>] as const]),
];
