import { coinSprite } from './coin-sprite.ts';

type AssetIconProps = {
  /** `btc` or `btc/usdt`. */
  symbol: string;
  size?: 24 | 28 | 40;
  /** An asset that is switched off. */
  off?: boolean;
};

/** The coin's icon, decorative: its name is always beside it. */
export function AssetIcon({ symbol, size = 28, off = false }: AssetIconProps) {
  const base = symbol.split('/')[0];
  return (
    <img
      style={{
        display: 'block',
        flex: 'none',
        borderRadius: '50%',
        ...(off && { filter: 'grayscale(1)', opacity: 0.6 }),
      }}
      src={`${coinSprite}#${base}`}
      alt=""
      width={size}
      height={size}
      draggable={false}
    />
  );
}
