import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { paths } from '../../../ui/paths.ts';
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
