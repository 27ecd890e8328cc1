import { Button, Checkbox, Input, Stack, Text } from '@mantine/core';
import { IconClock, IconLock } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import type { Deposit } from '#contract/funds/deposits.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { refusals } from '#contract/refusals.ts';
import { depositLimitsDollars, minutesToPay, openInvoicesMost, riskSentence } from '#contract/rules.ts';
import { CallError } from '../../../api/call.ts';
import { useOwnPause } from '../../../api/own-pause.ts';
import { plural, t, translate } from '../../../api/texts.ts';
import { NetworkChoice } from '../../../entities/network/network-choice.tsx';
import { formatMoney } from '../../../ui/format/number.ts';
import { AmountInput } from '../../../ui/forms/amount-input.tsx';
import { AskAbout } from '../../../ui/forms/ask-about.tsx';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { type ReadAmount, readAmount } from '../../../ui/forms/read-amount.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { paths } from '../../../ui/paths.ts';
import { Refusal } from '../../../ui/plain/refusal.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { Note } from '../../../ui/text/paragraph.tsx';
import { TextLink, Trans } from '../../../ui/text/text.tsx';
import { type OwnWeek, useStartDeposit } from '../queries.ts';
import { payWithOptions } from './deposit-labels.ts';

type FieldErrors = {
  amount?: string | undefined;
  pay_with?: string | undefined;
  risk_accepted?: string | undefined;
  hasNoPlace?: boolean;
  /** What the server refused without naming a field. */
};

type DepositFormProps = {
  /** Whether its requirements are loaded: nothing is sent before. */
  isKnown: boolean;
  /** The first deposit requires the checkbox under the risk disclosure. */
  requiresRisk: boolean;
  /** The payment options; a choice is shown from two on. */
  payWith: readonly PayoutNetwork[];
  ownWeek: OwnWeek | undefined;
  onStarted: (deposit: Deposit) => void;
};

const { min, max } = depositLimitsDollars;
const limitsText = t`${formatMoney(min, 'typed')} to ${formatMoney(max, 'typed')} for each deposit`;

/** Step 1: the amount, the payment option, and on the first deposit the checkbox under the risk disclosure. */
export function DepositForm({ isKnown, requiresRisk, payWith, ownWeek, onStarted }: DepositFormProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<PayoutNetwork | null>(null);
  const [ticked, setTicked] = useState(false);
  const [isTickDemanded, setTickDemanded] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const amountField = useRef<HTMLInputElement>(null);
  const tickField = useRef<HTMLInputElement>(null);
  const start = useStartDeposit();
  const pause = useOwnPause();
  const hasChoice = payWith.length > 1;
  // The server has the last word: when it requires the checkbox, it is shown whatever was known before.
  const requiresCheckbox = requiresRisk || isTickDemanded;

  const show = (next: FieldErrors) => {
    setErrors(next);
    if (next.amount !== undefined) amountField.current?.focus();
    else if (next.risk_accepted !== undefined) tickField.current?.focus();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (pause !== null) return;
    const checked = checkAmount(text);
    if (!checked.ok) return show({ amount: checked.message });
    if (hasChoice && chosen === null) return show({ pay_with: translate(refusals.pay_with_unavailable[1]) });
    if (requiresCheckbox && !ticked) return show({ risk_accepted: translate(refusals.risk_not_accepted[1]) });
    show({});
    const body = {
      amount: checked.dollars,
      ...(hasChoice && chosen !== null ? { pay_with: chosen } : {}),
      ...(requiresCheckbox ? { risk_accepted: true as const } : {}),
    };
    start.mutate(body, {
      onSuccess: onStarted,
      onError: (error) => {
        if (!(error instanceof CallError)) return;
        const hasNoPlace = error.code === 'too_many_open_deposits';
        const { amount, pay_with, risk_accepted } = error.fields;
        if (risk_accepted !== undefined) setTickDemanded(true);
        show({ amount, pay_with, risk_accepted, hasNoPlace });
      },
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <AmountInput
          ref={amountField}
          description={limitsText}
          error={errors.amount}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setErrors((now) => ({ ...now, amount: undefined }));
          }}
        />
        {hasChoice && (
          <NetworkChoice
            label={t`Pay with`}
            options={payWith.map((network) => payWithOptions[network])}
            value={chosen}
            problem={errors.pay_with}
            onChange={(network) => {
              setChosen(network);
              setErrors((now) => ({ ...now, pay_with: undefined }));
            }}
          />
        )}
        <KeyValues
          rule
          items={[
            [t`Deposit fee`, t`None`],
            [t`Credited to`, t`Primary Wallet`],
            [
              t`Time to pay`,
              plural(minutesToPay(hasChoice ? chosen : (payWith[0] ?? null)), { one: '# minute', other: '# minutes' }),
            ],
            ...weekRows(ownWeek, checkAmount(text)),
          ]}
        />
        {requiresCheckbox && (
          <Checkbox
            ref={tickField}
            checked={ticked}
            error={errors.risk_accepted}
            onChange={(event) => {
              setTicked(event.currentTarget.checked);
              setErrors((now) => ({ ...now, risk_accepted: undefined }));
            }}
            label={
              <Trans
                text={t`${translate(riskSentence)} I have read the <risk>risk disclosure</risk>.`}
                risk={(inner) => (
                  <TextLink to={paths.risk} target="_blank">
                    {inner}
                  </TextLink>
                )}
              />
            }
          />
        )}
        {errors.hasNoPlace && (
          <Banner
            icon={IconClock}
            title={plural(openInvoicesMost, { one: '# deposit is still open', other: '# deposits are still open' })}
          >
            <Trans
              text={t`Pay one of your <open>open deposits</open>, or wait until one expires.`}
              open={(inner) => (
                <TextLink to={`${paths.deposit}?state=created`} preventScrollReset>
                  {inner}
                </TextLink>
              )}
            />
          </Banner>
        )}
        {pause !== null && <Input.Error role="alert">{pause}</Input.Error>}
        <Refusal error={pause !== null || errors.hasNoPlace ? null : start.error} />
        <BusyButton
          type="submit"
          size="lg"
          fullWidth
          disabled={!isKnown || pause !== null}
          busy={start.isPending}
          busyLabel={t`Starting`}
        >{t`Start deposit`}</BusyButton>
        <DepositNote />
      </Stack>
    </form>
  );
}

type StartedAmountProps = { deposit: Deposit; ownWeek: OwnWeek | undefined; onAnother: () => void };

/** The amount of a started deposit: it cannot be changed any more. */
export function StartedAmount({ deposit, ownWeek, onAnother }: StartedAmountProps) {
  return (
    <Stack>
      <AmountInput
        description={limitsText}
        readOnly
        value={formatMoney(deposit.amount, 'typed').slice(1)}
        rightSection={<IconLock size={16} stroke={1.5} aria-hidden />}
      />
      <KeyValues
        rule
        items={[
          [t`Deposit fee`, t`None`],
          [t`Credited to`, t`Primary Wallet`],
          [t`Credited`, <Money key="credited" value={deposit.credited} />],
          ...weekRows(ownWeek),
        ]}
      />
      <Button variant="default" size="lg" fullWidth onClick={onAnother}>{t`Start another deposit`}</Button>
      <DepositNote />
      <Text size="xs">
        <AskAbout kind="deposit" id={deposit.id} label={deposit.reference} />
      </Text>
    </Stack>
  );
}

/** The self-imposed limit, and what would remain of it after the typed amount, if any. */
function weekRows(week: OwnWeek | undefined, typed?: ReadAmount) {
  if (!week) return [];
  const left = Math.max(0, week.limit - week.used);
  const after = typed?.ok ? left - typed.dollars : left;
  return [
    [t`Your 7-day limit`, <Money key="limit" value={week.limit} decimals="typed" />] as const,
    [
      typed?.ok ? t`Remaining after this` : t`Remaining`,
      after < 0 ? t`Over the limit` : <Money key="left" value={after} decimals="typed" />,
    ] as const,
  ];
}

const DepositNote = () => (
  <Note>{t`The amount received is credited, even if it is more. If it is less, the deposit stays open for the rest until the invoice expires.`}</Note>
);

/**
 * Validates the typed amount of a deposit: first whether it is an amount, then whether it is within the limits
 * (docs/product.md, section 4). `checkAmount('9.99')` is refused with "A deposit is from 10$ to 50000$."
 */
export function checkAmount(text: string): ReadAmount {
  const amount = readAmount(text);
  if (amount.ok && (amount.dollars < min || amount.dollars > max)) {
    return { ok: false, message: translate(refusals.deposit_out_of_limits[1]) };
  }
  return amount;
}
