import { NumberInput } from '@mantine/core';
import { amountInputMin, quickAddAmounts } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { formatMoney } from '../../ui/format/number.ts';
import classes from './amount-field.module.css';

type AmountFieldProps = {
  /** Dollars; null while the field holds none. */
  amount: number | null;
  /** What the chosen wallet holds; undefined while it is not known. */
  balance: number | undefined;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (amount: number | null) => void;
};

/** The amount in large figures, what is available, and the quick-add buttons. */
export function AmountField({ amount, balance, invalid, describedBy, onChange }: AmountFieldProps) {
  return (
    <>
      <div className={classes.field}>
        <NumberInput
          label={t`Amount`}
          classNames={{ input: classes.amount, section: classes.dollar }}
          attributes={{ input: { min: amountInputMin } }}
          // The input names the minimum; 1 from the profit wallet is allowed, so nothing is turned into 5.
          min={amountInputMin}
          clampBehavior="none"
          allowNegative={false}
          decimalScale={6}
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          value={amount ?? ''}
          onChange={(value) => onChange(toAmount(value))}
          error={invalid}
          aria-describedby={describedBy}
        />
        <span className={classes.available}>{t`Available ${formatMoney(balance)}`}</span>
      </div>
      <div className={classes.quick}>
        {quickAddAmounts.map((quick) => (
          <button key={quick} type="button" onClick={() => onChange(addDollars(amount, quick))}>
            <span aria-hidden="true">+</span>
            {quick}
          </button>
        ))}
      </div>
    </>
  );
}

const MICROS = 1_000_000;
const addDollars = (amount: number | null, more: number) => Math.round((amount ?? 0) * MICROS + more * MICROS) / MICROS;

/** What the field holds as dollars; nothing while it is empty or only a sign or a point. */
function toAmount(value: number | string): number | null {
  const amount = typeof value === 'number' ? value : Number.parseFloat(value);
  return Number.isFinite(amount) ? amount : null;
}
