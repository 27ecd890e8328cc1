import { Button } from '@mantine/core';
import { IconAlertTriangle, IconClock, IconMapPin, IconUserCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { formatCountdown, formatDateTime } from '../../ui/format/time.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { useRealNow } from '../../ui/use-real-now.ts';
import { ADDRESS_PARAMETER } from './address-panel.tsx';

type Bar = NonNullable<WithdrawalTerms['bar']>;

const danger = <IconAlertTriangle size={20} stroke={1.5} />;

/** What stands in the way of a withdrawal, why, and what to do about it. */
export function BarBanner({ bar }: { bar: Bar }) {
  switch (bar.code) {
    case 'account_frozen':
      return (
        <Banner tone="loss" icon={danger} title="Your account is frozen">
          Nothing can be withdrawn. Your money stays where it is. Write to <SupportLink /> to ask why.
        </Banner>
      );
    case 'withdrawals_frozen':
      return (
        <Banner tone="loss" icon={danger} title="Withdrawals of your account are stopped">
          <i>This was not me</i> was pressed in a mail about your payout address, or an operator stopped them. Your
          money stays where it is. Write to <SupportLink /> to open them again.
        </Banner>
      );
    case 'not_verified':
      return (
        <Banner icon={<IconUserCheck size={20} stroke={1.5} />} title="Your account is not verified yet">
          Withdrawals open once it is. Write to <SupportLink /> to be verified.
        </Banner>
      );
    case 'address_missing':
      return (
        <Banner
          icon={<IconMapPin size={20} stroke={1.5} />}
          title="Save a payout address first"
          action={
            <Button component={Link} to={{ search: ADDRESS_PARAMETER }} preventScrollReset>
              Save an address
            </Button>
          }
        >
          Withdrawals go to one address of yours, {withdrawalRules.waitHours} hours after you saved it.
        </Banner>
      );
    case 'withdrawal_waiting':
      return (
        <Banner tone="loss" icon={danger} title="Your address, password or sign-in was changed">
          <Waiting until={bar.until} />
        </Banner>
      );
  }
}

function Waiting({ until }: { until: string | null }): ReactNode {
  const now = useRealNow();
  if (until === null) return 'Withdrawals wait for a day after it.';
  return (
    <>
      Withdrawals are possible again on {formatDateTime(until)}, in{' '}
      <span style={{ fontVariantNumeric: 'tabular-nums' }}>{formatCountdown(Date.parse(until) - now)}</span>. Nothing
      has to be done meanwhile. If it was not you, write to <SupportLink />.
    </>
  );
}

/** The switch of all payouts is the house's affair: a request may still be made, and it waits. */
export function StoppedBanner() {
  return (
    <Banner icon={<IconClock size={20} stroke={1.5} />} title="Payouts are stopped at the moment">
      You can ask for a withdrawal. It waits with its amount held until payouts go on, and you can cancel it meanwhile.
    </Banner>
  );
}
