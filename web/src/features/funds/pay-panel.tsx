import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type Ref, useId } from 'react';
import { Link } from 'react-router';
import type { Deposit } from '#contract/funds.ts';
import { formatMoney } from '../../shared/format/money.ts';
import { formatCountdown, formatDateTime } from '../../shared/format/time.ts';
import { paths, tradeSearch } from '../../shared/paths.ts';
import { CodeText } from '../../shared/ui/code-text.tsx';
import { useLate } from '../../shared/ui/data-table-states.tsx';
import { Figure } from '../../shared/ui/figure.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { StateBadge } from '../../shared/ui/state-badge.tsx';
import { useRealNow } from '../../shared/use-real-now.ts';
import { CopyLine } from './copy-line.tsx';
import { DepositError } from './deposit-error.tsx';
import { DepositFlow } from './deposit-flow.tsx';
import classes from './deposit-page.module.css';
import { type DepositStep, depositSteps } from './deposit-steps.ts';
import { isOpen } from './deposit-words.ts';
import { StateWords } from './state-words.tsx';

/** Before a deposit is started: what will happen, so that step 2 is no surprise. */
const stepsToCome: readonly DepositStep[] = [
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
      {deposit && (isOpen(deposit.state) ? <OpenInvoice deposit={deposit} /> : <Outcome deposit={deposit} />)}
    </Panel>
  );
}

function NotStarted() {
  return (
    <div className={classes.stack}>
      <div className={classes.words}>
        <b>The invoice opens here</b>
        <p>
          Start a deposit on the amount you choose. You get a link to pay, a clock that shows how long it is open, and
          each step as it happens.
        </p>
      </div>
      <div className={classes.rule}>
        <DepositFlow steps={stepsToCome} />
      </div>
    </div>
  );
}

function OpenInvoice({ deposit }: { deposit: Deposit }) {
  const now = useRealNow();
  const clockId = useId();
  return (
    <div className={classes.stack}>
      <div className={classes.due}>
        <Figure label="To pay" size="xl">
          {formatMoney(deposit.amount, 'typed').slice(1)} <span className={classes.currency}>{deposit.currency}</span>
        </Figure>
        <Figure label={<span id={clockId}>Invoice expires in</span>} foot={formatDateTime(deposit.expires_at)}>
          <span role="timer" aria-labelledby={clockId}>
            {formatCountdown(Date.parse(deposit.expires_at) - now)}
          </span>
        </Figure>
      </div>
      <StateWords deposit={deposit} />
      {deposit.pay_url !== null && (
        <>
          <CopyLine label="Copy the link to the payment page" value={deposit.pay_url} />
          <div className={classes.actions}>
            <Button
              component="a"
              href={deposit.pay_url}
              target="_blank"
              rel="noreferrer"
              size="lg"
              leftSection={<IconExternalLink size={16} stroke={1.5} />}
            >
              Open payment page
            </Button>
            <span className={classes.note}>Opens in a new tab, outside your session</span>
          </div>
        </>
      )}
      <div className={classes.rule}>
        <DepositFlow steps={depositSteps(deposit)} />
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
      <div className={classes.rule}>
        <DepositFlow steps={depositSteps(deposit)} />
      </div>
    </div>
  );
}
