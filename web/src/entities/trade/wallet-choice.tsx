import { type WalletType, walletTypes } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import classes from '../../ui/forms/choice.module.css';
import { CardChoice } from '../../ui/forms/choice.tsx';
import { Money } from '../../ui/text/money.tsx';
import { walletNames } from './labels.ts';

type WalletChoiceProps = {
  value: WalletType;
  balances: { primary_wallet: number; profit_wallet: number } | undefined;
  onChange: (value: WalletType) => void;
};

export const WalletChoice = ({ value, balances, onChange }: WalletChoiceProps) => (
  <CardChoice
    legend={t`Wallet`}
    variant="wallets"
    options={walletTypes}
    value={value}
    hasFocus
    onChange={onChange}
    card={(wallet) => (
      <span>
        <span className={classes.walletName}>{walletNames[wallet]} </span>
        <span className={classes.balance}>
          <Money value={balances?.[`${wallet}_wallet`]} />
        </span>
      </span>
    )}
  />
);
