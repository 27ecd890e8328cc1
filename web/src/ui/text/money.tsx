import { formatMoney, formatPercent, formatSignedMoney, type MoneyDecimals, signOf } from '../format/number.ts';
import { formatPrice } from '../format/price.ts';
import classes from './money.module.css';

type MoneyProps = {
  /** Dollars; null is unknown and shows a dash. */
  value: number | null | undefined;
  /** 4 for wallets, ledger, results and income; 'typed' for amounts a member typed; 2 for totals over many members. */
  decimals?: MoneyDecimals;
};

/** A balance, fee, volume or income: neither signed nor coloured. The last two of four decimals are dimmed. */
export function Money({ value, decimals = 4 }: MoneyProps) {
  return <Amount text={formatMoney(value, decimals)} decimals={decimals} />;
}

type SignedMoneyProps = MoneyProps & {
  /** The arrow is added where the figure stands alone. */
  arrow?: boolean;
  /** A statement line is signed but keeps the text colour, with the last two decimals dimmed as in wallets. */
  plain?: boolean;
};

/** A signed result: + or −, green or rose; exactly zero has no sign. */
export function SignedMoney({ value, decimals = 4, arrow = false, plain = false }: SignedMoneyProps) {
  const sign = signOf(value, decimals);
  return (
    <span className={classes.number} data-tone={plain ? undefined : toneOf(sign)}>
      {arrow && <Arrow sign={sign} />}
      {plain ? (
        <Amount text={formatSignedMoney(value, decimals)} decimals={decimals} />
      ) : (
        formatSignedMoney(value, decimals)
      )}
    </span>
  );
}

type PercentProps = {
  /** In percent, not a fraction; null is unknown. */
  value: number | null | undefined;
  /** A change is signed and coloured; a share or a rate is not. */
  signed?: boolean;
  arrow?: boolean;
  decimals?: 2 | 4;
};

export function Percent({ value, signed = false, arrow = false, decimals = 2 }: PercentProps) {
  const sign = signOf(value, decimals);
  return (
    <span className={classes.number} data-tone={signed ? toneOf(sign) : undefined}>
      {arrow && <Arrow sign={sign} />}
      {formatPercent(value, { signed, decimals })}
    </span>
  );
}

/** A coin's price by its step; `symbol` is `btc` or `btc/usdt`. */
export function Price({ value, symbol }: { value: number | null | undefined; symbol: string }) {
  return <span className={classes.number}>{formatPrice(value, symbol)}</span>;
}

const toneOf = (sign: number | undefined) =>
  sign === undefined ? undefined : sign > 0 ? 'gain' : sign < 0 ? 'loss' : 'flat';

function Amount({ text, decimals }: { text: string; decimals: MoneyDecimals }) {
  // Some languages put the currency after the digits.
  const [, front, back, rest] = (decimals === 4 && /^(.*[.,]\d\d)(\d\d)(\D*)$/.exec(text)) || [];
  if (back === undefined) return <span className={classes.number}>{text}</span>;
  return (
    <span className={classes.number}>
      {front}
      <span className={classes.back}>{back}</span>
      {rest}
    </span>
  );
}

function Arrow({ sign }: { sign: number | undefined }) {
  if (!sign) return null;
  return (
    <svg className={classes.arrow} viewBox="0 0 8 8" aria-hidden="true">
      <path d={sign > 0 ? 'M4 1l3.600 6H.4z' : 'M4 7L.4 1h7.200z'} />
    </svg>
  );
}
