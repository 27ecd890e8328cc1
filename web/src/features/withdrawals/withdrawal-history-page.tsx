import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { paths } from '../../ui/paths.ts';
import { termsQuery } from './queries.ts';
import { SimulatedPayout } from './simulated-payout.tsx';
import classes from './withdrawal-history.module.css';
import { WithdrawalHistory } from './withdrawal-history.tsx';
import { WithdrawalPanel } from './withdrawal-panel.tsx';

/** All withdrawals; the opened one stands in the address (`?withdrawal=7`) and beside the list. */
export function WithdrawalHistoryPage() {
  const terms = useQuery(termsQuery);
  const [search] = useSearchParams();
  const openedId = search.get('withdrawal') ?? undefined;
  const closing = new URLSearchParams(search);
  closing.delete('withdrawal');

  return (
    <>
      <PageHead title="Withdrawal history" facts="Every withdrawal you asked for and what became of it">
        <SimulatedPayout simulated={terms.data?.simulated} />
        <Button component={Link} to={paths.withdrawal} leftSection={<IconUpload size={16} stroke={1.5} />}>
          Withdraw
        </Button>
      </PageHead>
      <div className={classes.columns} data-opened={openedId !== undefined || undefined}>
        <WithdrawalHistory
          selectedId={openedId}
          emptyAction={
            <Button component={Link} to={paths.withdrawal} variant="default">
              Withdraw
            </Button>
          }
        />
        {openedId !== undefined && <WithdrawalPanel id={openedId} closeTo={{ search: closing.toString() }} />}
      </div>
    </>
  );
}
