import type { Feed } from '#contract/market.ts';
import { formatAge } from '../kit/age.ts';
import type { DecisionWords } from '../kit/use-decisions.tsx';
import type { AssetDecision } from './queries.ts';

const sources: Record<Feed['kind'], string> = {
  simulated: 'Simulated market',
  replay: 'Recording',
  coingecko: 'CoinGecko',
  ccxt: 'Exchange',
};

/** Where prices come from. */
export const sourceOf = ({ kind }: Feed): string => sources[kind];

/** Market time from a price to now: `12 s`, from a minute on `7 min`; null without a price. */
export function priceAge(priceAt: string | null, marketAt: string): string | null {
  if (priceAt === null) return null;
  const ms = Math.max(0, Date.parse(marketAt) - Date.parse(priceAt));
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : formatAge(ms);
}

/** A decimal of coins with at most 6 places, the rest cut: `1.991004497752` is `1.991004`. */
export const coins = (quantity: string): string => {
  const [whole = '0', decimals = ''] = quantity.split('.');
  const shown = decimals.slice(0, 6).replace(/0+$/, '');
  return `${Number(whole).toLocaleString('en-US')}${shown === '' ? '' : `.${shown}`}`;
};

export function switchWords(decision: AssetDecision, name: string): DecisionWords {
  return decision === 'off'
    ? {
        button: 'Switch off',
        title: `Switch ${name} off`,
        text: 'Nothing new can be traded on it. What is queued comes back when a session is open, plans on it pause, and open positions settle as always.',
        confirm: 'Switch off',
        busy: 'Switching off',
        danger: true,
        reason: { label: 'Reason', hint: 'Operators read it in the audit log.' },
        done: `${name} is off`,
      }
    : {
        button: 'Switch on',
        title: `Switch ${name} on`,
        text: 'It can be traded again at once. Plans that paused stay paused until their members resume them.',
        confirm: 'Switch on',
        busy: 'Switching on',
        reason: { label: 'Reason', hint: 'Operators read it in the audit log.' },
        otp: true,
        done: `${name} is on`,
      };
}
