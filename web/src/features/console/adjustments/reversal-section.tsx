import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { consoleAdjustments } from '#contract/endpoints.ts';
import type { Adjustment } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { consolePath } from '../../../ui/paths.ts';
import { TextLink } from '../../../ui/text/text.tsx';
import { DetailSection } from '../kit/detail-panel.tsx';
import { SendDialog, toApprove } from '../kit/dialog-form.tsx';
import { financeRoles } from '../roles.ts';
import { checkWhy, WhyFields } from './propose-adjustment.tsx';

/** `$12.50 is debited from the Primary Wallet of Lena Hoffmann` */
export function movement({ amount, wallet_type, member }: Pick<Adjustment, 'amount' | 'wallet_type' | 'member'>) {
  const way = amount > 0 ? 'credited to' : 'debited from';
  return `${formatMoney(Math.abs(amount), 'typed')} is ${way} the ${walletNames[wallet_type]} of ${member.name}`;
}

/** What an adjustment reverses, what reverses it, or the button that proposes it; nothing before it is posted. */
export function ReversalSection({ adjustment }: { adjustment: Adjustment }) {
  const { role } = useOperator();
  const [isOpen, setOpen] = useState(false);
  const { reverses, reversed_by, state } = adjustment;
  const other = reverses ?? reversed_by;
  if (other !== null) {
    return (
      <DetailSection
        title={reverses ? 'Reverses' : reversed_by?.state === 'posted' ? 'Reversed by' : 'Reversal to approve'}
      >
        <TextLink to={`${consolePath('adjustments')}/${other.id}`}>{other.reference}</TextLink>
      </DetailSection>
    );
  }
  if (state !== 'posted' || !financeRoles.includes(role)) return null;
  return (
    <DetailSection title="Reversal">
      <Button variant="default" onClick={() => setOpen(true)}>
        Propose reversal
      </Button>
      <SendDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Propose to reverse ${adjustment.reference}`}
        initial={{ reason: '', evidence: '' }}
        check={checkWhy}
        confirm="Propose reversal"
        busyLabel="Proposing"
        send={(body) => call(consoleAdjustments.reverseAdjustment, { params: { id: adjustment.id }, body })}
        refreshes={['adjustments', 'overview']}
        done={toApprove('Reversal proposed')}
      >
        {({ typed }) => (
          <>
            <Text>Once approved, {movement({ ...adjustment, amount: -adjustment.amount })}.</Text>
            <WhyFields typed={typed} />
          </>
        )}
      </SendDialog>
    </DetailSection>
  );
}
