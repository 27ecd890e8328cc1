import { List } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import type { PayoutNeeds } from '#contract/funds/review.ts';
import { Banner } from '../../../ui/frame/banner.tsx';

/** What a live installation still needs before any payout (docs/operators-guide.md, "Before going live"). */
export function PayoutNeedsBanner({ needs }: { needs: PayoutNeeds }) {
  const { legal_contact, confirmed_admins, needed_admins } = needs;
  return (
    <Banner icon={IconShieldLock} title="Payouts are not active yet">
      Withdrawals can be requested and wait. Before the first payout:
      <List size="sm" mt={4} spacing={2}>
        {!legal_contact && (
          <List.Item>No legal contact, or the address is an operator’s. Set LEGAL_CONTACT_EMAIL and restart.</List.Item>
        )}
        <List.Item>
          {confirmed_admins} of {needed_admins} admins with a confirmed passkey. Each admin adds a passkey under Your
          account, then the legal contact confirms them by email.
        </List.Item>
      </List>
    </Banner>
  );
}
