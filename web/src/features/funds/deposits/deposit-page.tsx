import { Button } from '@mantine/core';
import { IconCheck, IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { formatMoney } from '../../../ui/format/money.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { depositQuery, depositsQuery } from '../queries.ts';
import { DepositForm, StartedAmount } from './deposit-form.tsx';
import { DepositHistory } from './deposit-history.tsx';
import { isOpen } from './deposit-labels.ts';
import classes from './deposit-page.module.css';
import { PayPanel } from './pay-panel.tsx';
import { SandboxLabel } from './sandbox-label.tsx';
import { useRefreshOnChange } from './use-refresh-on-change.ts';

/**
 * Two steps on one page: the amount, then the invoice. The chosen deposit stands in the address (`?deposit=7`), so that
 * it survives a reload and the way back from the payment page.
 */
export function DepositPage() {
  const [search, setSearch] = useSearchParams();
  const chosenId = search.get('deposit') ?? undefined;
  const deposits = useQuery(depositsQuery());
  const chosen = useQuery({ ...depositQuery(chosenId ?? ''), enabled: chosenId !== undefined });
  const heading = useRef<HTMLSpanElement>(null);
  useRefreshOnChange(chosen.data);

  // Whoever starts or chooses a deposit is taken to it, with the eyes and with the keyboard.
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
      <PageHead title="Deposit" facts="Money goes to your Primary Wallet">
        <SandboxLabel />
      </PageHead>
      {chosenId === undefined && waiting && (
        <Banner
          icon={<IconClock size={20} stroke={1.5} />}
          title={`${waiting.reference} of ${formatMoney(waiting.amount, 'typed')} is still open`}
          action={
            <Button variant="default" onClick={() => choose(waiting.id)}>
              Continue
            </Button>
          }
        >
          You can go on with it, or start another one.
        </Banner>
      )}
      <div className={classes.columns} data-chosen={chosenId !== undefined || undefined}>
        <Panel
          title={
            <span className={classes.step}>
              <span className={classes.number} data-at={chosen.data ? 'done' : 'current'}>
                {chosen.data ? <IconCheck size={14} stroke={1.5} aria-label="Done" /> : '1'}
              </span>
              Amount
            </span>
          }
        >
          {chosen.data && chosenId !== undefined ? (
            <StartedAmount
              deposit={chosen.data}
              ownWeek={deposits.data?.own_week}
              onAnother={() => choose(undefined)}
            />
          ) : chosenId !== undefined && chosen.isPending ? null : (
            <DepositForm
              asksRisk={!deposits.isPending && deposits.data?.risk_accepted !== true}
              ownWeek={deposits.data?.own_week}
              onStarted={(deposit) => choose(deposit.id)}
            />
          )}
        </Panel>
        <PayPanel query={chosenId === undefined ? undefined : chosen} headingRef={heading} />
      </div>
      <DepositHistory selectedId={chosenId} />
    </>
  );
}
