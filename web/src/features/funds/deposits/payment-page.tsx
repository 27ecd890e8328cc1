import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { Deposit } from '#contract/funds/deposits.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { paths } from '../../../ui/paths.ts';
import { useLate } from '../../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { ListState } from '../../../ui/table/list-state.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { StatusSteps } from '../../../ui/text/status-steps.tsx';
import { depositQuery, latestDepositQuery } from '../queries.ts';
import { DepositError } from './deposit-error.tsx';
import { isFinal } from './deposit-labels.ts';
import { depositSteps } from './deposit-steps.ts';
import classes from './payment-page.module.css';
import { SandboxLabel } from './sandbox-label.tsx';
import { StateWords } from './state-labels.tsx';
import { useRefreshOnChange } from './use-refresh-on-change.ts';

/**
 * Where the gateway sends a member after paying. The address says success, pending, failed or cancelled, but anybody
 * can type it, so it is not read: the page shows what the server knows (docs/product.md, section 4).
 */
export function PaymentPage() {
  const [search] = useSearchParams();
  const id = search.get('deposit');
  const named = useQuery({ ...depositQuery(id ?? ''), enabled: id !== null });
  const latest = useQuery({ ...latestDepositQuery, enabled: id === null });
  const query: UseQueryResult<Deposit | null> = id === null ? latest : named;
  const deposit = query.data ?? undefined;
  const late = useLate(query.isPending);
  useRefreshOnChange(deposit);

  return (
    <>
      <PageHead title="Payment" facts="What we know about it, as the payment gateway told us">
        <SandboxLabel />
      </PageHead>
      <Panel className={classes.panel} padded={deposit !== undefined || query.isPending}>
        {deposit && <Known deposit={deposit} />}
        {late && <p className={classes.loading}>Asking for the deposit…</p>}
        {query.isError && deposit === undefined && <DepositError query={query} />}
        {query.data === null && (
          <ListState
            icon={<IconDownload size={20} stroke={1.5} />}
            title="No deposits yet"
            action={
              <Button component={Link} to={paths.deposit}>
                Deposit
              </Button>
            }
          >
            When you start one, this page follows its payment.
          </ListState>
        )}
      </Panel>
    </>
  );
}

function Known({ deposit }: { deposit: Deposit }) {
  return (
    <div className={classes.stack}>
      <div className={classes.head}>
        <StateWords deposit={deposit} />
        <StateBadge of="deposit" state={deposit.state} />
      </div>
      <StatusSteps across label="Steps of this deposit" steps={depositSteps(deposit)} />
      <KeyValues
        rule
        items={[
          ['Reference', <CodeText key="reference">{deposit.reference}</CodeText>],
          ['Asked', <Money key="asked" value={deposit.amount} decimals="typed" />],
          ['Credited', <Money key="credited" value={deposit.credited} />],
          ['Started', formatDateTime(deposit.created_at)],
          ['Last change', formatDateTime(deposit.updated_at)],
        ]}
      />
      <div className={classes.actions}>
        {isFinal(deposit.state) && deposit.state !== 'credited' ? (
          <Button component={Link} to={paths.deposit}>
            Start another deposit
          </Button>
        ) : (
          <Button
            component={Link}
            to={deposit.state === 'credited' ? paths.fund : `${paths.deposit}?deposit=${deposit.id}`}
          >
            {deposit.state === 'credited' ? 'See your assets' : 'Open the deposit'}
          </Button>
        )}
        <Button component={Link} to={paths.depositHistory} variant="default">
          Deposit history
        </Button>
      </div>
    </div>
  );
}
