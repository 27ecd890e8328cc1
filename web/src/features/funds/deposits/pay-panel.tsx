import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Ref } from 'react';
import { Link } from 'react-router';
import type { Deposit } from '#contract/funds/deposits.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { paths, tradeSearch } from '../../../ui/paths.ts';
import { useLate } from '../../../ui/table/data-table-states.tsx';
import { ItemError } from '../../../ui/table/item-error.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { StateWords } from '../../../ui/text/state-words.tsx';
import { type StatusStep, StatusSteps } from '../../../ui/text/status-steps.tsx';
import { StepTitle } from '../../../ui/text/step-title.tsx';
import { depositSteps, isOpen } from './deposit-labels.ts';
import { DepositState } from './deposit-state.tsx';
import { Currency, OpenInvoice } from './open-invoice.tsx';

/** Before a deposit is started: what will happen, so that step 2 is no surprise. */
const stepsToCome: readonly StatusStep[] = [
  { title: 'Created', detail: 'an invoice of your own', at: 'ahead' },
  { title: 'Payment seen', detail: 'then it is confirmed', at: 'ahead' },
  { title: 'Credited', detail: 'to the Primary Wallet', at: 'ahead' },
];

type PayPanelProps = {
  /** The chosen deposit's query; undefined while none is chosen. */
  query: UseQueryResult<Deposit> | undefined;
  headingRef: Ref<HTMLDivElement>;
};

/** Step 2: the invoice with its link and clock while it is open, and what became of it afterwards. */
export function PayPanel({ query, headingRef }: PayPanelProps) {
  const deposit = query?.data;
  const late = useLate(query?.isPending === true);
  return (
    <Panel
      title={
        <StepTitle number={2} at={deposit && 'current'} ref={headingRef}>
          Pay
        </StepTitle>
      }
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
      {late && <Text c="dimmed">Loading the invoice…</Text>}
      {deposit &&
        (isOpen(deposit.state) ? <OpenInvoice key={deposit.id} deposit={deposit} /> : <Outcome deposit={deposit} />)}
    </Panel>
  );
}

function NotStarted() {
  return (
    <Stack>
      <StateWords
        title="The invoice opens here"
        next="Start a deposit on the amount you choose. You get a code to scan and a link to pay, a clock that shows how long it is open, and each step as it happens."
      />
      <Divider my={4} color="var(--tw-line)" />
      <StatusSteps across label="Steps of this deposit" steps={stepsToCome} />
    </Stack>
  );
}

/** Final states and review: nothing is left to pay. */
function Outcome({ deposit }: { deposit: Deposit }) {
  return (
    <Stack>
      <Figure label={deposit.credited === null ? 'Asked' : 'Credited'} size="xl">
        {formatMoney(deposit.credited ?? deposit.amount, 'typed').slice(1)} <Currency>{deposit.currency}</Currency>
      </Figure>
      <DepositState deposit={deposit} />
      {deposit.state === 'credited' && (
        <Group gap="8px 12px">
          <Button component={Link} to={paths.fund} variant="default">
            See your assets
          </Button>
          <Button component={Link} to={`${paths.dashboard}${tradeSearch()}`}>
            Trade
          </Button>
        </Group>
      )}
      <KeyValues rule items={factsOf(deposit)} />
      <Divider my={4} color="var(--tw-line)" />
      <StatusSteps across label="Steps of this deposit" steps={depositSteps(deposit)} />
    </Stack>
  );
}

const factsOf = (deposit: Deposit) => [
  ...(deposit.credited === null
    ? []
    : [['Asked', <Money key="asked" value={deposit.amount} decimals="typed" />] as const]),
  ['Started', formatDateTime(deposit.created_at)] as const,
  ['Last change', formatDateTime(deposit.updated_at)] as const,
  ...(deposit.transaction === null
    ? []
    : [['Transaction', <CodeText key="transaction">{deposit.transaction}</CodeText>] as const]),
];
