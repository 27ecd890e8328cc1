import { Button } from '@mantine/core';
import { IconAlertTriangle, IconClock, IconMapPin, IconUserCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { formatCountdown, formatDateTime } from '../../ui/format/time.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { Trans } from '../../ui/text/trans.tsx';
import { useRealNow } from '../../ui/use-real-now.ts';
import { ADDRESS_PARAMETER } from './address-panel.tsx';

type Restriction = NonNullable<WithdrawalTerms['bar']>;

const danger = <IconAlertTriangle size={20} stroke={1.5} />;

/** A sentence that names support. */
const WithSupport = ({ text }: { text: string }) => <Trans text={text} support={<SupportLink />} />;

/** Why withdrawals are restricted, and what to do about it. */
export function RestrictionBanner({ restriction }: { restriction: Restriction }) {
  switch (restriction.code) {
    case 'account_frozen':
      return (
        <Banner tone="loss" icon={danger} title={t`Your account is frozen`}>
          <WithSupport
            text={t`Withdrawals are not possible. Your money is safe. Write to <support/> for the reason.`}
          />
        </Banner>
      );
    case 'withdrawals_frozen':
      return (
        <Banner tone="loss" icon={danger} title={t`Withdrawals of your account are stopped`}>
          <WithSupport
            text={t`They were stopped with “This was not me” in an email, by an operator, or because of a requested change of your email address. Your money is safe. Write to <support/> to resume withdrawals.`}
          />
        </Banner>
      );
    case 'not_verified':
      return (
        <Banner icon={<IconUserCheck size={20} stroke={1.5} />} title={t`Your account is not verified yet`}>
          <WithSupport text={t`Withdrawals require a verified account. Write to <support/> to be verified.`} />
        </Banner>
      );
    case 'address_missing':
      return (
        <Banner
          icon={<IconMapPin size={20} stroke={1.5} />}
          title={t`Add a payout address first`}
          action={
            <Button component={Link} to={{ search: ADDRESS_PARAMETER }} preventScrollReset>
              {t`Add address`}
            </Button>
          }
        >
          {t`Withdrawals go to your payout address, from ${withdrawalRules.waitHours} hours after you save it.`}
        </Banner>
      );
    case 'withdrawal_waiting':
      return (
        <Banner tone="loss" icon={danger} title={t`Your address, password or sign-in was changed`}>
          <Waiting until={restriction.until} />
        </Banner>
      );
  }
}

function Waiting({ until }: { until: string | null }): ReactNode {
  const now = useRealNow();
  if (until === null) return t`Withdrawals are on hold for ${withdrawalRules.waitHours} hours after such a change.`;
  return (
    <Trans
      text={t`Withdrawals are available again on ${formatDateTime(until)}, in <left/>. You do not need to do anything. If you did not make the change, write to <support/>.`}
      left={<span style={{ fontVariantNumeric: 'tabular-nums' }}>{formatCountdown(Date.parse(until) - now)}</span>}
      support={<SupportLink />}
    />
  );
}

/** While payouts of all members are stopped, a request can still be made, and waits. */
export const StoppedBanner = () => (
  <Banner icon={<IconClock size={20} stroke={1.5} />} title={t`Payouts are stopped at the moment`}>
    {t`You can still request a withdrawal. Its amount is held until payouts resume, and you can cancel it until then.`}
  </Banner>
);
