import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Ref } from 'react';
import { Link } from 'react-router';
import type { Deposit } from '#contract/funds/deposits.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { paths, tradeSearch } from '../../../ui/paths.ts';
import { useLate } from '../../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { type StatusStep, StatusSteps } from '../../../ui/text/status-steps.tsx';
import { DepositError } from './deposit-error.tsx';
import { isOpen } from './deposit-labels.ts';
import classes from './deposit-page.module.css';
import { depositSteps } from './deposit-steps.ts';
import { OpenInvoice } from './open-invoice.tsx';
import { StateWords } from './state-labels.tsx';

/** Before a deposit is started: what will happen, so that step 2 is no surprise. */
const stepsToCome: readonly StatusStep[] = [
  { title: 'Created', detail: 'an invoice of your own', at: 'ahead' },
  { title: 'Payment seen', detail: 'then it is confirmed', at: 'ahead' },
  { title: 'Credited', detail: 'to the Primary Wallet', at: 'ahead' },
];

type PayPanelProps = {
  /** The chosen deposit's query; undefined while none is chosen. */
  query: UseQueryResult<Deposit> | undefined;
  headingRef: Ref<HTMLSpanElement>;
};

/** Step 2: the invoice with its link and clock while it is open, and what became of it afterwards. */
export function PayPanel({ query, headingRef }: PayPanelProps) {
  const deposit = query?.data;
  const late = useLate(query?.isPending === true);
  return (
    <Panel
      title={
        <span className={classes.step} ref={headingRef} tabIndex={-1}>
          <span className={classes.number} data-at={deposit ? 'current' : undefined}>
            2
          </span>
          Pay
        </span>
      }
      control={
        deposit && (
          <>
            <StateBadge of="deposit" state={deposit.state} />
            <span className={classes.reference}>
              <CodeText>{deposit.reference}</CodeText>
            </span>
          </>
        )
      }
    >
      {query === undefined && <NotStarted />}
      {query?.isError && deposit === undefined && <DepositError query={query} />}
      {late && <p className={classes.note}>Loading the invoice…</p>}
      {deposit &&
        (isOpen(deposit.state) ? <OpenInvoice key={deposit.id} deposit={deposit} /> : <Outcome deposit={deposit} />)}
    </Panel>
  );
}

function NotStarted() {
  return (
    <div className={classes.stack}>
      <div className={classes.words}>
        <b>The invoice opens here</b>
        <p>
          Start a deposit on the amount you choose. You get a code to scan and a link to pay, a clock that shows how
          long it is open, and each step as it happens.
        </p>
      </div>
      <div className={classes.rule}>
        <StatusSteps across label="Steps of this deposit" steps={stepsToCome} />
      </div>
    </div>
  );
}

/** Final states and review: nothing is left to pay. */
function Outcome({ deposit }: { deposit: Deposit }) {
  return (
    <div className={classes.stack}>
      <Figure label={deposit.credited === null ? 'Asked' : 'Credited'} size="xl">
        {formatMoney(deposit.credited ?? deposit.amount, 'typed').slice(1)}{' '}
        <span className={classes.currency}>{deposit.currency}</span>
      </Figure>
      <StateWords deposit={deposit} />
      {deposit.state === 'credited' && (
        <div className={classes.actions}>
          <Button component={Link} to={paths.fund} variant="default">
            See your assets
          </Button>
          <Button component={Link} to={`${paths.dashboard}${tradeSearch()}`}>
            Trade
          </Button>
        </div>
      )}
      <KeyValues rule items={factsOf(deposit)} />
      <div className={classes.rule}>
        <StatusSteps across label="Steps of this deposit" steps={depositSteps(deposit)} />
      </div>
    </div>
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
