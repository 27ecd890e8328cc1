import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import type { Deposit } from '#contract/funds/deposits.ts';
import { refusals } from '#contract/refusals.ts';
import { depositLimitsDollars, invoiceMinutes, riskSentence } from '#contract/rules.ts';
import { CallError } from '../../../api/call.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { AskAbout } from '../../../ui/forms/ask-about.tsx';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import type { ReadAmount } from '../../../ui/forms/read-amount.ts';
import { paths } from '../../../ui/paths.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { TextLink } from '../../../ui/text/text-link.tsx';
import { type OwnWeek, useStartDeposit } from '../queries.ts';
import { checkAmount } from './check-amount.ts';
import classes from './deposit-page.module.css';

type Faults = { amount?: string | undefined; risk_accepted?: string | undefined };

type DepositFormProps = {
  /** The first deposit asks for the tick under the risk disclosure. */
  asksRisk: boolean;
  ownWeek: OwnWeek | undefined;
  onStarted: (deposit: Deposit) => void;
};

const { min, max } = depositLimitsDollars;
const limitsWords = `${min} to ${max.toLocaleString('en-US')} for one deposit`;

/** Step 1: the amount, and at the first deposit the tick under the risk disclosure. */
export function DepositForm({ asksRisk, ownWeek, onStarted }: DepositFormProps) {
  const [text, setText] = useState('');
  const [ticked, setTicked] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const amountField = useRef<HTMLInputElement>(null);
  const tickField = useRef<HTMLInputElement>(null);
  const start = useStartDeposit();
  // The server has the last word: when it asks for the tick, the tick is shown whatever was known before.
  const asksTick = asksRisk || faults.risk_accepted !== undefined;

  const show = (next: Faults) => {
    setFaults(next);
    if (next.amount !== undefined) amountField.current?.focus();
    else if (next.risk_accepted !== undefined) tickField.current?.focus();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const checked = checkAmount(text);
    if (!checked.ok) return show({ amount: checked.message });
    if (asksTick && !ticked) return show({ risk_accepted: refusals.risk_not_accepted[1] });
    show({});
    start.mutate(asksTick ? { amount: checked.dollars, risk_accepted: true } : { amount: checked.dollars }, {
      onSuccess: onStarted,
      onError: (error) => {
        if (error instanceof CallError)
          show({ amount: error.fields.amount, risk_accepted: error.fields.risk_accepted });
      },
    });
  };

  return (
    <form className={classes.stack} onSubmit={submit} noValidate>
      <TextInput
        ref={amountField}
        label="Amount in USDT"
        description={limitsWords}
        error={faults.amount}
        errorProps={{ role: 'alert' }}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setFaults((now) => ({ ...now, amount: undefined }));
        }}
        leftSection={<span className={classes.dollar}>$</span>}
        classNames={{ wrapper: classes.amount, input: classes.amountInput }}
      />
      <KeyValues
        rule
        items={[
          ['Deposit fee', 'none'],
          ['Goes to', 'Primary Wallet'],
          ['Time to pay', `${invoiceMinutes} minutes`],
          ...weekRows(ownWeek, checkAmount(text)),
        ]}
      />
      {asksTick && (
        <Checkbox
          ref={tickField}
          checked={ticked}
          error={faults.risk_accepted}
          onChange={(event) => {
            setTicked(event.currentTarget.checked);
            setFaults((now) => ({ ...now, risk_accepted: undefined }));
          }}
          label={
            <>
              {riskSentence} I have read the{' '}
              <TextLink to={paths.risk} target="_blank">
                risk disclosure
              </TextLink>
              .
            </>
          }
        />
      )}
      <BusyButton type="submit" size="lg" fullWidth busy={start.isPending} busyLabel="Starting">
        Start deposit
      </BusyButton>
      <DepositNote />
    </form>
  );
}

type StartedAmountProps = { deposit: Deposit; ownWeek: OwnWeek | undefined; onAnother: () => void };

/** The amount of a deposit that was started: it cannot change any more. */
export function StartedAmount({ deposit, ownWeek, onAnother }: StartedAmountProps) {
  return (
    <div className={classes.stack}>
      <TextInput
        label="Amount in USDT"
        description={limitsWords}
        readOnly
        value={formatMoney(deposit.amount, 'typed').slice(1)}
        leftSection={<span className={classes.dollar}>$</span>}
        rightSection={<IconLock size={16} stroke={1.5} aria-hidden />}
        classNames={{ wrapper: classes.amount, input: classes.amountInput }}
      />
      <KeyValues
        rule
        items={[
          ['Deposit fee', 'none'],
          ['Goes to', 'Primary Wallet'],
          ['Credited', <Money key="credited" value={deposit.credited} />],
          ...weekRows(ownWeek),
        ]}
      />
      <Button variant="default" size="lg" fullWidth onClick={onAnother}>
        Start another deposit
      </Button>
      <DepositNote />
      <p className={classes.note}>
        <AskAbout kind="deposit" id={deposit.id} label={deposit.reference} />
      </p>
    </div>
  );
}

/** The limit a member set for themselves, and what is left of it, after the amount that is typed where one is. */
function weekRows(week: OwnWeek | undefined, typed?: ReadAmount) {
  if (!week) return [];
  const left = Math.max(0, week.limit - week.used);
  const after = typed?.ok ? left - typed.dollars : left;
  return [
    ['Your own limit for 7 days', <Money key="limit" value={week.limit} decimals="typed" />] as const,
    [
      typed?.ok ? 'Left of it after this' : 'Left of it',
      after < 0 ? 'not enough' : <Money key="left" value={after} decimals="typed" />,
    ] as const,
  ];
}

function DepositNote() {
  return (
    <p className={classes.note}>
      What arrives is what is credited: more is credited in full; less waits for the rest until the invoice expires.
    </p>
  );
}
