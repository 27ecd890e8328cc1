import { Button } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { t } from '../../../api/texts.ts';
import { useRefreshOnChange } from '../../../api/use-refresh-on-change.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { Columns } from '../../../ui/layout/columns.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { StepTitle } from '../../../ui/state/step-title.tsx';
import { depositQuery, depositsQuery } from '../queries.ts';
import { DepositForm, StartedAmount } from './deposit-form.tsx';
import { DepositHistory } from './deposit-history.tsx';
import { isOpen } from './deposit-labels.ts';
import { SandboxLabel } from './deposit-state.tsx';
import { PayPanel } from './pay-panel.tsx';

/**
 * Two steps on one page: the amount, then the invoice. The chosen deposit stands in the address (`?deposit=7`), so that
 * it survives a reload and the way back from the payment page.
 */
export function DepositPage() {
  const [search, setSearch] = useSearchParams();
  const chosenId = search.get('deposit') ?? undefined;
  const deposits = useQuery(depositsQuery());
  const chosen = useQuery({ ...depositQuery(chosenId ?? ''), enabled: chosenId !== undefined });
  const heading = useRef<HTMLDivElement>(null);
  useRefreshOnChange(chosen.data);

  // Whoever starts or chooses a deposit is taken to it, with the keyboard too.
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
          icon={<IconClock size={20} stroke={1.5} />}
          title={t`${waiting.reference} of ${formatMoney(waiting.amount, 'typed')} is still open`}
          action={<Button variant="default" onClick={() => choose(waiting.id)}>{t`Continue`}</Button>}
        >{t`You can continue it or start another deposit.`}</Banner>
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
              asksRisk={!deposits.isPending && deposits.data?.risk_accepted !== true}
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
