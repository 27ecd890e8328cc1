import { Text } from '@mantine/core';
import type { Deposit } from '#contract/funds/deposits.ts';
import { appInfo } from '../../../api/app-info.ts';
import { ModeNote } from '../../../ui/frame/mode-label.tsx';
import { StateWords } from '../../../ui/text/state-words.tsx';
import { wordsOfDeposit } from './deposit-labels.ts';

/** What the server last said of a deposit, and what a person added to it. */
export function DepositState({ deposit, timeIsUp = false }: { deposit: Deposit; timeIsUp?: boolean }) {
  return (
    <StateWords {...wordsOfDeposit(deposit.state, timeIsUp)}>
      {deposit.note !== null && (
        <Text maw="60ch" mt="xs" pl="sm" style={{ borderLeft: '2px solid var(--tw-line-strong)' }}>
          “{deposit.note}”
        </Text>
      )}
    </StateWords>
  );
}

/** Said wherever the sandbox is the gateway. */
export const SandboxLabel = () =>
  appInfo.payments === 'sandbox' && <ModeNote>Sandbox payments: no real money moves</ModeNote>;
