import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Ref, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Deposit } from '#contract/funds/deposits.ts';
import { t } from '../../../api/texts.ts';
import { useRefreshOnChange } from '../../../api/trading-queries.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { Columns } from '../../../ui/layout/columns.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { paths, tradeSearch } from '../../../ui/paths.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { StateMessage } from '../../../ui/state/state-message.tsx';
import { type StatusStep, StatusSteps } from '../../../ui/state/status-steps.tsx';
import { StepTitle } from '../../../ui/state/step-title.tsx';
import { useLate } from '../../../ui/table/data-table-states.tsx';
import { ItemError } from '../../../ui/table/item-error.tsx';
import { type KeyValue, KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { depositQuery, depositsQuery } from '../queries.ts';
import { DepositForm, StartedAmount } from './deposit-form.tsx';
import { DepositHistory } from './deposit-history.tsx';
import { depositSteps, isOpen, missingText } from './deposit-labels.ts';
import { DepositState, SandboxLabel, uncreditedRows } from './deposit-state.tsx';
import { Currency, OpenInvoice } from './open-invoice.tsx';

/**
 * Two steps on one page: the amount, then the invoice. The chosen deposit is in the address (`?deposit=7`), so that it
 * survives a reload and the return from the payment page.
 */
export function DepositPage() {
  const [search, setSearch] = useSearchParams();
  const chosenId = search.get('deposit') ?? undefined;
  const deposits = useQuery(depositsQuery());
  const chosen = useQuery({ ...depositQuery(chosenId ?? ''), enabled: chosenId !== undefined });
  const heading = useRef<HTMLDivElement>(null);
  useRefreshOnChange(chosen.data);

  // A started or chosen deposit is scrolled to and focused.
  useEffect(() => {
    if (chosenId !== undefined) heading.current?.focus();
  }, [chosenId]);

  const choose = (id: string | undefined) =>
    setSearch(
      (now) => {
        now.delete('deposit');
        if (id !== undefined) now.set('deposit', id);
        return now;
      },
      { preventScrollReset: true },
    );

  const waiting = deposits.data?.items.find((deposit) => isOpen(deposit.state));

  return (
    <>
      <PageHead title={t`Deposit`} facts={t`Credited to your Primary Wallet.`}>
        <SandboxLabel />
      </PageHead>
      {chosenId === undefined && waiting && (
        <Banner
          icon={IconClock}
          title={t`${waiting.reference} of ${formatMoney(waiting.amount, 'typed')} is still open`}
          action={<Button variant="default" onClick={() => choose(waiting.id)}>{t`Continue`}</Button>}
        >
          {missingText(waiting) && `${missingText(waiting)}. `}
          {t`You can continue it or start another deposit.`}
        </Banner>
      )}
      <Columns side="left" even lastFirst={chosenId !== undefined}>
        <Panel title={<StepTitle number={1} at={chosen.data ? 'done' : 'current'}>{t`Amount`}</StepTitle>}>
          {chosen.data && chosenId !== undefined ? (
            <StartedAmount
              deposit={chosen.data}
              ownWeek={deposits.data?.own_week}
              onAnother={() => choose(undefined)}
            />
          ) : chosenId !== undefined && chosen.isPending ? null : (
            <DepositForm
              isKnown={!deposits.isPending}
              requiresRisk={!deposits.isPending && deposits.data?.risk_accepted !== true}
              payWith={deposits.data?.pay_with ?? []}
              ownWeek={deposits.data?.own_week}
              onStarted={(deposit) => choose(deposit.id)}
            />
          )}
        </Panel>
        <PayPanel query={chosenId === undefined ? undefined : chosen} headingRef={heading} />
      </Columns>
      <DepositHistory selectedId={chosenId} />
    </>
  );
}

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
function PayPanel({ query, headingRef }: PayPanelProps) {
  const deposit = query?.data;
  const late = useLate(query?.isPending === true);
  return (
    <Panel
      title={
        <StepTitle
          number={2}
          at={deposit && (deposit.state === 'credited' ? 'done' : 'current')}
          ref={headingRef}
        >{t`Pay`}</StepTitle>
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
      {late && <Text c="dimmed">{t`Loading the invoice…`}</Text>}
      {deposit &&
        (isOpen(deposit.state) ? <OpenInvoice key={deposit.id} deposit={deposit} /> : <Outcome deposit={deposit} />)}
    </Panel>
  );
}

function NotStarted() {
  return (
    <Stack>
      <StateMessage
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

const factsOf = (deposit: Deposit): readonly KeyValue[] => [
  deposit.credited !== null && [t`Requested`, <Money key="asked" value={deposit.amount} decimals="typed" />],
  ...uncreditedRows(deposit),
  [t`Started`, formatDateTime(deposit.created_at)],
  [t`Last updated`, formatDateTime(deposit.updated_at)],
  deposit.transaction !== null && [t`Transaction`, <CodeText key="transaction">{deposit.transaction}</CodeText>],
];
