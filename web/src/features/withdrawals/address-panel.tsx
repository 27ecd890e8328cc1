import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { PayoutAddress, WithdrawalBar, WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { formatCountdown, formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { useRealNow } from '../../ui/use-real-now.ts';
import classes from './address.module.css';
import { ADDRESS_PARAMETER, AddressDialog } from './address-dialog.tsx';
import { GroupedAddress } from './grouped-address.tsx';
import { termsQuery } from './queries.ts';
import { networkName } from './withdrawal-labels.ts';

/** Where withdrawals go to, and the way to change it. */
export function AddressPanel() {
  const terms = useQuery(termsQuery);
  const [search] = useSearchParams();
  const address = terms.data?.address;
  const isClosed = isStopped(terms.data?.bar?.code);
  const opening = new URLSearchParams(search);
  opening.set(ADDRESS_PARAMETER, '');

  return (
    <Panel
      title="Payout address"
      control={
        terms.data &&
        !isClosed && (
          <Button component={Link} to={{ search: opening.toString() }} preventScrollReset size="sm" variant="default">
            {address ? 'Change' : 'Save an address'}
          </Button>
        )
      }
    >
      <div className={classes.stack}>
        {address && <Saved address={address} />}
        {address === null && (
          <p className={classes.quiet}>
            None yet. Withdrawals go to the one address you save here, {withdrawalRules.waitHours} hours after you saved
            it.
          </p>
        )}
        {address === undefined && <Unknown terms={terms} />}
        {isClosed && <p className={classes.quiet}>It cannot be changed while withdrawals are stopped.</p>}
      </div>
      {!isClosed && <AddressDialog />}
    </Panel>
  );
}

const isStopped = (bar: WithdrawalBar | undefined) => bar === 'account_frozen' || bar === 'withdrawals_frozen';

function Saved({ address }: { address: PayoutAddress }) {
  const now = useRealNow();
  const waitMs = Date.parse(address.usable_from) - now;
  return (
    <>
      <div>
        <div className={classes.label}>{networkName(address.network)}</div>
        <div className={classes.box}>
          <GroupedAddress address={address.address} />
        </div>
      </div>
      <p className={classes.quiet}>
        {waitMs > 0 ? (
          <>
            Usable from {formatDateTime(address.usable_from)}, in{' '}
            <span className={classes.clock}>{formatCountdown(waitMs)}</span>
          </>
        ) : (
          <>Usable since {formatDateTime(address.usable_from)}</>
        )}
      </p>
    </>
  );
}

function Unknown({ terms }: { terms: { isError: boolean; data: WithdrawalTerms | undefined } }) {
  return <p className={classes.quiet}>{terms.isError ? 'It could not be loaded. Your money is not affected.' : '–'}</p>;
}
