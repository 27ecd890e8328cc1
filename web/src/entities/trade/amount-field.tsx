import { TextInput } from '@mantine/core';
import { amountInputMin, quickAddAmounts } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { formatMoney, sumDollars } from '../../ui/format/number.ts';
import { readAmount } from '../../ui/forms/read-amount.ts';
import classes from './amount-field.module.css';

type AmountFieldProps = {
  typed: string;
  /** The balance of the chosen wallet; undefined while loading. */
  balance: number | undefined;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (typed: string) => void;
};

/**
 * The amount in large figures, the available balance, and the quick-add buttons. The text is parsed by `readAmount`.
 */
export function AmountField({ typed, balance, invalid, describedBy, onChange }: AmountFieldProps) {
  return (
    <>
      <div className={classes.field}>
        <TextInput
          label={t`Amount`}
          classNames={{ input: classes.amount, section: classes.dollar }}
          // The field names the minimum; from the profit wallet, 1 is allowed.
          min={amountInputMin}
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          value={typed}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={invalid}
          aria-describedby={describedBy}
        />
        <span className={classes.available}>{t`Available ${formatMoney(balance)}`}</span>
      </div>
      <div className={classes.quick}>
        {quickAddAmounts.map((quick) => (
          <button key={quick} type="button" onClick={() => onChange(String(addDollars(typed, quick)))}>
            <span aria-hidden="true">+</span>
            {quick}
          </button>
        ))}
      </div>
    </>
  );
}

/** `addDollars('0.1', 50)` is 50.1; an invalid amount counts as zero. */
function addDollars(typed: string, more: number): number {
  const amount = readAmount(typed);
  return sumDollars([amount.ok ? amount.dollars : 0, more]);
}
