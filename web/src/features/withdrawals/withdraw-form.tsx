import { Box, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { PayoutNetwork, WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { shareOf, toDollars, toMicros } from '#contract/money.ts';
import { refusals } from '#contract/refusals.ts';
import type { WalletType } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t, translate } from '../../api/texts.ts';
import { balancesQuery } from '../../api/trading-queries.ts';
import { formatBps } from '../../entities/income/fees.ts';
import { WalletChoice } from '../../entities/trade/wallet-choice.tsx';
import { formatMoney } from '../../ui/format/number.ts';
import { AmountInput } from '../../ui/forms/amount-input.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { type ReadAmount, readAmount } from '../../ui/forms/read-amount.ts';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { CodeText, shorten } from '../../ui/text/text.tsx';
import { networkFeeQuery } from './queries.ts';
import { networkName, paidAs } from './withdrawal-labels.ts';
import type { WithdrawalRequest } from './withdrawal-request.ts';

export type WithdrawalDraft = { text: string; wallet: WalletType };

type WithdrawFormProps = {
  terms: WithdrawalTerms | undefined;
  draft: WithdrawalDraft;
  onDraft: (draft: WithdrawalDraft) => void;
  isBusy: boolean;
  refused: Error | null;
  onAsk: (asked: WithdrawalRequest, onError: (error: Error) => void) => void;
};

/** Step 1: wallet and amount, with the fee and the net amount while it is typed. */
export function WithdrawForm({ terms, draft, onDraft, isBusy, refused, onAsk }: WithdrawFormProps) {
  const balances = useQuery(balancesQuery);
  const [error, setError] = useState<string>();
  const amountField = useRef<HTMLInputElement>(null);
  const reasonId = useId();
  const balance = balances.data?.[`${draft.wallet}_wallet`];
  const typed = checkWithdrawal(draft.text, undefined, undefined);
  const quote = terms && typed.ok ? quoteWithdrawal(typed.dollars, terms) : undefined;
  const most = terms && balance !== undefined ? Math.min(balance, terms.day_left) : undefined;
  const estimated = terms?.network_fee_estimated ? terms.address : null;
  const isRestricted = terms === undefined || terms.bar !== null;

  const change = (next: Partial<WithdrawalDraft>) => {
    onDraft({ ...draft, ...next });
    setError(undefined);
  };
  const refuse = (message: string | undefined) => {
    setError(message);
    if (message !== undefined) amountField.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isRestricted || !terms.address) return;
    const checked = checkWithdrawal(draft.text, terms, balance);
    if (!checked.ok) return refuse(checked.message);
    const { fee, net } = quoteWithdrawal(checked.dollars, terms);
    if (fee === null || net === null) return refuse(t`The fee is higher than this amount.`);
    const { network, address } = terms.address;
    onAsk({ amount: checked.dollars, fee, net, walletType: draft.wallet, network, address }, (error) => {
      if (error instanceof CallError) refuse(error.fields.amount);
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing={20}>
        <Stack>
          <WalletChoice value={draft.wallet} balances={balances.data} onChange={(wallet) => change({ wallet })} />
          <Box pos="relative">
            <AmountInput
              ref={amountField}
              description={limitsText(terms)}
              error={error}
              value={draft.text}
              onChange={(event) => change({ text: event.currentTarget.value })}
            />
            <UnstyledButton
              pos="absolute"
              top={-2}
              right={0}
              fz="xs"
              fw={500}
              lh="1.5rem"
              c={most ? 'var(--tw-accent)' : 'dimmed'}
              disabled={!most}
              onClick={() => most !== undefined && change({ text: String(most) })}
            >{t`Use maximum`}</UnstyledButton>
          </Box>
        </Stack>
        <Stack>
          <KeyValues
            rule
            items={[
              [feeLabel(terms), <Money key="fee" value={quote?.fee} />],
              [
                t`You receive`,
                <Text key="net" span size="lg" fw={600}>
                  <Money value={quote?.net} />
                </Text>,
              ],
              [t`Sent to`, <PayoutDestination key="to" address={terms?.address} />],
              [t`Paid as`, terms?.address ? paidAs(terms.address.network) : '–'],
              estimated && [t`Network fee, paid by us`, <NetworkFee key="network" network={estimated.network} />],
            ]}
          />
          <Refusal error={refused} />
          <BusyButton
            type="submit"
            size="lg"
            fullWidth
            disabled={isRestricted}
            aria-describedby={reasonId}
            busy={isBusy}
            busyLabel={t`Sending`}
          >{t`Send code`}</BusyButton>
          <Note id={reasonId}>
            {terms?.bar
              ? t`Not available now. See the reason above.`
              : t`We email you a code that confirms this amount and address. Nothing is withdrawn before you enter it.`}
          </Note>
        </Stack>
      </SimpleGrid>
    </form>
  );
}

function NetworkFee({ network }: { network: PayoutNetwork }) {
  const { data, isError } = useQuery(networkFeeQuery(network));
  if (data && !isError) return t`about ${formatMoney(data.estimate, 'typed')}`;
  return isError ? t`Estimate not available` : '–';
}

const limitsText = (terms: WithdrawalTerms | undefined) =>
  terms &&
  t`At least ${formatMoney(terms.minimum, 'typed')}. ${formatMoney(terms.day_left, 'typed')} of ${formatMoney(terms.day_limit, 'typed')} left today, until 00:00 UTC.`;

const feeLabel = (terms: WithdrawalTerms | undefined) =>
  terms ? t`Fee, ${formatBps(terms.fee_bps)}, at least ${formatMoney(terms.fee_minimum, 'typed')}` : t`Fee`;

function PayoutDestination({ address }: { address: WithdrawalTerms['address'] | undefined }) {
  if (!address) return '–';
  return (
    <>
      <CodeText>{shorten(address.address)}</CodeText> · {networkName(address.network)}
    </>
  );
}

const ALL_BPS = 10_000n;

type Limits = Pick<WithdrawalTerms, 'minimum' | 'day_left'>;

/**
 * Validates the typed amount of a withdrawal: whether it is an amount, then the server's refusals in its order
 * (docs/product.md, section 5). Unknown values are left to the server. `checkWithdrawal('9.99', …)` is refused with "A
 * withdrawal is at least 10$."
 *
 * @param balance dollars in the chosen wallet
 */
export function checkWithdrawal(text: string, limits: Limits | undefined, balance: number | undefined): ReadAmount {
  const amount = readAmount(text);
  if (!amount.ok) return amount;
  const { dollars } = amount;
  if (limits && dollars < limits.minimum) return refused(translate(refusals.withdrawal_out_of_limits[1]));
  if (limits && dollars > limits.day_left) return refused(translate(refusals.withdrawal_day_limit[1]));
  if (balance !== undefined && dollars > balance) return refused(translate(refusals.insufficient_funds[1]));
  return amount;
}

const refused = (message: string): ReadAmount => ({ ok: false, message });

type Fees = Pick<WithdrawalTerms, 'fee_bps' | 'fee_minimum'>;

/**
 * The fee and net amount of a withdrawal, in dollars, as the server calculates them: the share rounded down to the
 * micro, and never less than the minimum (docs/product.md, section 5). Null for both when the fee would leave nothing.
 * Of 500 at 100 basis points and at least 1: fee 5, net 495. Of 12.5: fee 1, net 11.5.
 */
export function quoteWithdrawal(dollars: number, fees: Fees): { fee: number | null; net: number | null } {
  const amountMicros = toMicros(dollars);
  const shareMicros = shareOf(amountMicros, BigInt(fees.fee_bps), ALL_BPS);
  const leastMicros = toMicros(fees.fee_minimum);
  const feeMicros = shareMicros > leastMicros ? shareMicros : leastMicros;
  if (feeMicros >= amountMicros) return { fee: null, net: null };
  return { fee: toDollars(feeMicros), net: toDollars(amountMicros - feeMicros) };
}
