import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../shared/paths.ts';
import { PageHead } from '../../shared/ui/page-head.tsx';
import { DepositHistory } from './deposit-history.tsx';
import { SandboxLabel } from './sandbox-label.tsx';

export function DepositHistoryPage() {
  return (
    <>
      <PageHead title="Deposit history" facts="Every invoice you started and what became of it">
        <SandboxLabel />
        <Button component={Link} to={paths.deposit}>
          Deposit
        </Button>
      </PageHead>
      <DepositHistory
        emptyAction={
          <Button component={Link} to={paths.deposit} variant="default">
            Deposit
          </Button>
        }
      />
    </>
  );
}
