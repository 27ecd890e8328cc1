import { english } from './texts.ts';

const { t } = english;

/**
 * The constants, labels and messages of the specification, verbatim (the specification, points 1, 5 and 9). Additions
 * of docs/product.md follow below their own heading.
 */

/** The 16 pairs in the specification's order: label and the provider's coin id. */
export const marketPairs = [
  { displayName: 'btc/usdt', apiname: 'bitcoin' },
  { displayName: 'eth/usdt', apiname: 'ethereum' },
  { displayName: 'doge/usdt', apiname: 'dogecoin' },
  { displayName: 'eos/usdt', apiname: 'eos' },
  { displayName: 'ltc/usdt', apiname: 'litecoin' },
  { displayName: 'bch/usdt', apiname: 'bitcoin-cash' },
  { displayName: 'xrp/usdt', apiname: 'ripple' },
  { displayName: 'etc/usdt', apiname: 'ethereum-classic' },
  { displayName: 'ada/usdt', apiname: 'cardano' },
  { displayName: 'fil/usdt', apiname: 'filecoin' },
  { displayName: 'trx/usdt', apiname: 'tron' },
  { displayName: 'uni/usdt', apiname: 'uniswap' },
  { displayName: 'link/usdt', apiname: 'chainlink' },
  { displayName: 'sol/usdt', apiname: 'solana' },
  { displayName: 'aave/usdt', apiname: 'aave' },
  { displayName: 'bsv/usdt', apiname: 'bsv' },
] as const;

/** Base symbols in list order, as used in `/:symbol`, `tradeId` and the names of candle files. */
export const symbols = marketPairs.map((pair) => pair.displayName.split('/')[0] as string);

export const tradingHours = { us: t`8:30 AM to 1:30 PM US time`, india: t`6:00 PM to 11:00 PM India time` } as const;

export const minimumTradeDollars = { primary: 5, profit: 1 } as const;
export const amountInputMin = 5;
export const quickAddAmounts = [50, 250, 2000, 50000] as const;
export const mobileMaxLength = 10;
export const uplineLookupDebounceMs = 500;
export const toastMs = 3000;
export const drawerWidthPx = 300;
export const otpLength = 6;

export const labels = {
  registeredId: t`Registered id`,
  password: t`Password`,
  invitationId: t`Invitation id`,
  mobile: t`Mobile`,
  name: t`Name`,
  email: t`Email id`,
  dialCode: t`Dial code`,
} as const;

export const isRequired = (label: string) => t`${label} is required`;
export const enterValid = (label: string) => t`Enter valid ${label}.`;

/** Exactly 10 digits, the first from 6 to 9. */
export const mobilePattern = /^[6-9]\d{9}$/;
/** Letters, digits, dot, underscore or hyphen, then @, a domain, then a 2 to 4 letter ending. */
export const emailPattern = /^[A-Za-z0-9._-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,4}$/;
/**
 * Dial code and mobile number joined, as in `mobile_number`: +91 9876543210 without the space. No dial code begins
 * with 0: a leading 0 would hide a blocked one.
 */
export const mobileNumberPattern = /^\+[1-9]\d{0,3}[6-9]\d{9}$/;

export const walletTypes = ['primary', 'profit'] as const;
export type WalletType = (typeof walletTypes)[number];

// ---- decided in docs/product.md ----

/** Section 3: the session, fixed in UTC so that both statements of the banner stay true. Minutes after midnight. */
export const sessionWindowUtc = { openMinute: 12 * 60 + 30, closeMinute: 17 * 60 + 30 } as const;
/** Section 3: at an exchange nothing opens in a session's last minutes; open positions are sold, a part each minute. */
export const closingSaleMinutes = 5;
/** Section 3: half the 0.10 % spread on each side. */
export const defaultSpreadBps = 10;
/** 10 %: anything above is a mistake. */
export const maxSpreadBps = 1000;
/** Section 4. */
export const depositLimitsDollars = { min: 10, max: 50_000 } as const;
export const invoiceMinutes = 60;
/** Short, because the quoted price moves. */
export const bitcoinInvoiceMinutes = 15;
/** How long a deposit waits for its payment, by payment network. */
export const minutesToPay = (payWith: string | null): number =>
  payWith === 'BTC' ? bitcoinInvoiceMinutes : invoiceMinutes;
/** Deposits awaiting payment, per member at any time. */
export const openInvoicesMost = 5;
/** Upper limit of a fee plan's monthly income and reward of a rank, so that a month's total stays displayable. */
export const rankIncomeMostDollars = 100_000;
/** Section 5. The fee itself is part of the fee plan (section 6). */
export const withdrawalRules = {
  minimumDollars: 10,
  /** Upper limit of a fee plan's minimum fee, so that the smallest withdrawal pays something out. */
  feeMinimumMostDollars: 9,
  /** Per member and UTC day. */
  dayLimitDollars: 10_000,
  /** From this sum per member and UTC day, two different operators must approve. */
  twoOperatorsFromDollars: 5_000,
  /** After a change of payout address, password, email address or second factor. */
  waitHours: 24,
} as const;
/** Section 8. */
export const passwordMinLength = 8;
export const otpRules = { ttlMinutes: 10, tries: 5, resendSeconds: 60 } as const;
/** Wait between the approval of an email change without the old mailbox and the change itself. */
export const emailChangeRules = { waitDays: 7 } as const;
/** Days between the approval to turn off a member's two-factor authentication and its execution. */
export const twoFactorOffDays = 7;
/** How long the *This was not me* link in an email is valid. */
export const stopLinkDays = 30;
/** Time allowed between the password and the second factor of a sign-in. */
export const challengeMinutes = 5;
/** Ten codes of 16 letters of the alphabet below, in groups of four: `7M2Q-X4AB-9KDT-3WZH`. */
export const recoveryCodeRules = { count: 10, groups: 4, groupLetters: 4 } as const;
export const recoveryCodePattern = /^(?:[A-HJKMNP-TV-Z2-9]{4}[- ]?){3}[A-HJKMNP-TV-Z2-9]{4}$/i;
/** Per owner; a challenge is valid for five minutes. */
export const passkeyRules = { most: 10, challengeMinutes: 5, nameLength: 60 } as const;
export const ownLimitRules = {
  minDollars: 1,
  maxDollars: 1_000_000_000,
  pauseMaxDays: 90,
  loosenAfterHours: 24,
} as const;
/**
 * How long a finance or admin account waits after its approval, and how long an emailed invitation is valid
 * (docs/product.md, section 10).
 */
export const operatorRules = { waitHours: 24, invitationHours: 48 } as const;
/** Support access: maximum length of each, and maximum number per operator and UTC day. */
export const supportAccessRules = { minutes: 30, maxPerDay: 20 } as const;
/**
 * How many admins with a passkey the legal contact must confirm before live payouts, and how long the emailed link is
 * valid (docs/operators-guide.md, "Before going live").
 */
export const payoutRules = { confirmedAdmins: 2, legalLinkDays: 7 } as const;
export const referralCodePattern = /^[A-Z0-9]{3,20}$/;
/** A–Z and 2–9 without I, L, O, U. */
export const referralCodeAlphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
/** Prefixes of references, by what they identify. */
export const referenceHeads = {
  deposit: 'DP',
  withdrawal: 'WD',
  adjustment: 'AD',
  treasury: 'TM',
  fee_plan: 'FP',
  loosening: 'LO',
  email_change: 'EC',
  announcement: 'AN',
  reserve: 'RS',
  venue_fill: 'VF',
  statement_line: 'SL',
  asset_limits: 'AL',
  ticket: 'Q',
} as const;
export type Referenced = keyof typeof referenceHeads;
export const riskSentence = t`Trading can lose money. Nothing here promises a return.`;
export const announcementRules = { titleMaxLength: 80, textMaxLength: 1000 } as const;
