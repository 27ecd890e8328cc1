import { useId } from 'react';
import { type WalletType, walletTypes } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import classes from '../../ui/forms/choice.module.css';
import { Money } from '../../ui/text/money.tsx';
import { walletNames } from './labels.ts';

type WalletChoiceProps = {
  value: WalletType;
  balances: { primary_wallet: number; profit_wallet: number } | undefined;
  onChange: (value: WalletType) => void;
};

export function WalletChoice({ value, balances, onChange }: WalletChoiceProps) {
  const name = useId();
  return (
    <fieldset className={classes.group}>
      <legend className={classes.head}>{t`Wallet`}</legend>
      <div className={classes.wallets}>
        {walletTypes.map((wallet) => (
          <label key={wallet} className={classes.card}>
            <input
              type="radio"
              className={classes.radio}
              name={name}
              value={wallet}
              checked={wallet === value}
              data-autofocus={wallet === value || undefined}
              onChange={() => onChange(wallet)}
            />
            <span>
              <span className={classes.walletName}>{walletNames[wallet]} </span>
              <span className={classes.balance}>
                <Money value={balances?.[`${wallet}_wallet`]} />
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
