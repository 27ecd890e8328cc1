import type { OperatorRole } from '#contract/endpoint.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { LooseningKind } from '#contract/operator/loosenings.ts';
import type { StrategyName } from '#contract/trading/strategy.ts';

export type DemoOperatorPerson = { readonly name: string; readonly email: string; readonly role: OperatorRole };

/** A member of the demo world. Codes are fixed, so that sign-ins stay the same across restarts. */
export type DemoPerson = {
  readonly code: string;
  readonly name: string;
  readonly email: string;
  /** The sponsor's code; undefined for the company. */
  readonly sponsor?: string;
  readonly depositsDollars: readonly number[];
};

/** The password of every demo member, shown on the login page; live mode refuses the demo world. */
export const demoPassword = 'fair wind 2026';

export const demoPeople: readonly DemoPerson[] = [
  { code: 'TW7K3QMX9D', name: 'Anika Rao', email: 'anika@tradewind.example', depositsDollars: [5000, 2500] },
  {
    code: 'TW4HRAVN2M',
    name: 'Ravi Menon',
    email: 'ravi@tradewind.example',
    sponsor: 'TW7K3QMX9D',
    depositsDollars: [1800],
  },
  {
    code: 'TW9CVGTE3N',
    name: 'Lena Vogt',
    email: 'lena@tradewind.example',
    sponsor: 'TW7K3QMX9D',
    depositsDollars: [2400],
  },
  {
    code: 'TW6PRTMS5T',
    name: 'Tomás Prieto',
    email: 'tomas@tradewind.example',
    sponsor: 'TW7K3QMX9D',
    depositsDollars: [950],
  },
  {
    code: 'TW3GRCTN8E',
    name: 'Grace Otieno',
    email: 'grace@tradewind.example',
    sponsor: 'TW4HRAVN2M',
    depositsDollars: [1200],
  },
  {
    code: 'TW8JNSAT4Q',
    name: 'Jun Sato',
    email: 'jun@tradewind.example',
    sponsor: 'TW4HRAVN2M',
    depositsDollars: [700],
  },
  {
    code: 'TW5PRYNR7A',
    name: 'Priya Nair',
    email: 'priya@tradewind.example',
    sponsor: 'TW9CVGTE3N',
    depositsDollars: [3100],
  },
  {
    code: 'TW2SKRND6K',
    name: 'Oskar Lind',
    email: 'oskar@tradewind.example',
    sponsor: 'TW6PRTMS5T',
    depositsDollars: [500],
  },
  {
    code: 'TW7MEYCHN4',
    name: 'Mei Chen',
    email: 'mei@tradewind.example',
    sponsor: 'TW3GRCTN8E',
    depositsDollars: [860],
  },
  {
    code: 'TW4SARHDD9',
    name: 'Sara Haddad',
    email: 'sara@tradewind.example',
    sponsor: 'TW5PRYNR7A',
    depositsDollars: [1500],
  },
];

export type DemoTrade = {
  readonly symbol: string;
  readonly dollars: number;
  readonly wallet?: 'profit';
  readonly closeEarly?: true;
  /** Percent. */
  readonly stops?: { readonly stop_loss?: number; readonly take_profit?: number; readonly trailing_stop?: number };
};

/** Anika's trades in each past session; the last entry is the session that is open when the demo starts. */
export const anikasSessions: readonly (readonly DemoTrade[])[] = [
  [
    { symbol: 'btc', dollars: 800 },
    { symbol: 'sol', dollars: 400 },
  ],
  [
    { symbol: 'eth', dollars: 500 },
    { symbol: 'xrp', dollars: 250, closeEarly: true },
  ],
  [
    { symbol: 'btc', dollars: 800 },
    { symbol: 'aave', dollars: 300 },
    { symbol: 'link', dollars: 150 },
  ],
  [
    { symbol: 'sol', dollars: 400, stops: { take_profit: 1.5 } },
    { symbol: 'doge', dollars: 200, stops: { stop_loss: 0.8 } },
  ],
  [
    { symbol: 'btc', dollars: 1000, stops: { stop_loss: 4, take_profit: 6 } },
    { symbol: 'sol', dollars: 500, stops: { trailing_stop: 5 } },
    { symbol: 'eth', dollars: 250 },
  ],
];

/** The other members trade this share of their first deposit on one asset a session, rotating through the list. */
export const othersSymbols = ['btc', 'eth', 'ltc', 'ada', 'uni', 'trx', 'bch', 'fil', 'etc'] as const;
export const othersShareOfFunds = 0.3;

/** A plan created before the first session, with the API's fields; a redeemed one ends before the current session. */
export type DemoPlan = {
  readonly code: string;
  readonly tradeId: string;
  readonly strategy: StrategyName;
  readonly amount: number;
  readonly compounding: boolean;
  readonly stop_loss?: number;
  readonly trailing_stop?: number;
  readonly redeemed?: true;
};

export const demoPlans: readonly DemoPlan[] = [
  { code: 'TW7K3QMX9D', tradeId: 'btc', strategy: 'session_hold', amount: 600, compounding: true },
  { code: 'TW7K3QMX9D', tradeId: 'eth', strategy: 'momentum', amount: 300, compounding: false, stop_loss: 3 },
  { code: 'TW7K3QMX9D', tradeId: 'sol', strategy: 'mean_reversion', amount: 200, compounding: true },
  { code: 'TW7K3QMX9D', tradeId: 'ltc', strategy: 'momentum', amount: 150, compounding: true, redeemed: true },
  { code: 'TW4HRAVN2M', tradeId: 'link', strategy: 'momentum', amount: 250, compounding: true, trailing_stop: 2 },
];

/** Nobody holds its key; only the sandbox ever pays to it. */
export const anikasAddress: { readonly network: PayoutNetwork; readonly address: string } = {
  network: 'TRC20',
  address: 'TUYhLXHqwE1JMdyDaMCuh4cRDmoTyREzW4',
};

/** A first withdrawal, from a device first seen an hour ago: the console flags both. */
export const firstPayout = {
  code: 'TW9CVGTE3N',
  dollars: 150,
  network: 'BEP20',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
} as const;

export type DemoWithdrawal = { readonly dollars: number } & (
  | { readonly end: 'completed' | 'cancelled' | 'requested'; readonly reason?: never }
  | { readonly end: 'rejected'; readonly reason: string }
);

/** Oldest first; the last one awaits a decision. */
export const anikasWithdrawals: readonly DemoWithdrawal[] = [
  { dollars: 300, end: 'completed' },
  { dollars: 450, end: 'rejected', reason: 'Please write to us where the deposit of today came from, then ask again.' },
  { dollars: 120, end: 'cancelled' },
  { dollars: 200, end: 'requested' },
];

/** The admins who can sign in to the demo world's console; the first sign-in sets up their authenticator app. */
export const demoAdmins: readonly { readonly name: string; readonly email: string }[] = [
  { name: 'Vera Lindqvist', email: 'vera.lindqvist@tradewind.example' },
  { name: 'Tomas Ferreira', email: 'tomas.ferreira@tradewind.example' },
];

/** The operators who decide on withdrawals: the first approves, the second rejects. */
export const demoOperators: readonly DemoOperatorPerson[] = [
  { name: 'Samuel Okafor', email: 'samuel.okafor@tradewind.example', role: 'finance' },
  { name: 'Ines Duarte', email: 'ines.duarte@tradewind.example', role: 'finance' },
];
/** The operator who viewed an account to answer a ticket. */
export const demoSupporter: DemoOperatorPerson = {
  name: 'Ida Moen',
  email: 'ida.moen@tradewind.example',
  role: 'support',
};

/** Members whose restriction finance proposes to lift: `why` it was imposed, if it was, and the `reason` to lift it. */
export const restrictedPeople: readonly {
  readonly code: string;
  readonly what: LooseningKind;
  readonly why: string;
  readonly reason: string;
}[] = [
  {
    code: 'TW2SKRND6K',
    what: 'unfreeze',
    why: 'Somebody else wrote to us from his email address',
    reason: 'Called back on the number of his registration; he has changed the password of his email account',
  },
  {
    code: 'TW7MEYCHN4',
    what: 'lift_withdrawal_stop',
    why: 'the button in the mail about a new address',
    reason: 'She saved the address herself and pressed the button by mistake; confirmed in a video call',
  },
  {
    code: 'TW8JNSAT4Q',
    what: 'verify',
    why: '',
    reason: 'Passport and proof of address match the account',
  },
  {
    code: 'TW4SARHDD9',
    what: 'turn_off_two_factor',
    why: '',
    reason: 'She lost her phone and the sheet with the recovery codes; passport shown in a video call',
  },
];
