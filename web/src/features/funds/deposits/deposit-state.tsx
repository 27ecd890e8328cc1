import { Text } from '@mantine/core';
import type { Deposit } from '#contract/funds/deposits.ts';
import { appInfo } from '../../../api/app-info.ts';
import { t } from '../../../api/texts.ts';
import { ModeNote } from '../../../ui/frame/mode-label.tsx';
import { StateMessage } from '../../../ui/state/state-message.tsx';
import type { KeyValue } from '../../../ui/table/key-values.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { isOpen, wordsOfDeposit } from './deposit-labels.ts';

/** The state of a deposit as the server reports it, with the operator's note. */
export function DepositState({ deposit, timeIsUp = false }: { deposit: Deposit; timeIsUp?: boolean }) {
  return (
    <StateMessage {...wordsOfDeposit(deposit, timeIsUp)}>
      {deposit.note !== null && (
        <Text maw="60ch" mt="xs" pl="sm" style={{ borderLeft: '2px solid var(--tw-line-strong)' }}>
          “{deposit.note}”
        </Text>
      )}
    </StateMessage>
  );
}

/** What arrived and was not credited, if anything: what is too little, what an operator reviews, and what was sent back. */
export const uncreditedRows = ({ state, paid, held, refunded }: Deposit): readonly KeyValue[] => [
  isOpen(state) && paid !== null && paid > 0 && [t`Paid so far`, <Money key="paid" value={paid} />],
  held > 0 && [t`Held for review`, <Money key="held" value={held} />],
  refunded > 0 && [t`Refunded`, <Money key="refunded" value={refunded} />],
];

/** Shown wherever the sandbox is the gateway. */
export const SandboxLabel = () =>
  appInfo.payments.includes('sandbox') && <ModeNote>{t`Sandbox payments: no real money moves`}</ModeNote>;
