import type { OpenedBy, User } from '#contract/accounts/sign-in.ts';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Announcement } from '#contract/operator/announcements.ts';

/** The operator who is signed in to the console, as returned at sign-in. */
export type Operator = {
  id: string;
  name: string;
  email: string;
  role: OperatorRole;
  /** Without one, the operator can only set one up. */
  second_factor: boolean;
};

/** The stored member: an older version, or manual editing, may have left parts out. */
export type StoredMember = Partial<User>;

export type StoredAnnouncement = Omit<Announcement, 'dismissed'> & { others: number };

type DeviceTokens = Readonly<Record<string, string>>;

/** What is stored locally, as JSON values (the specification, point 3); the last three are the operators' console's. */
type Stored = {
  accessToken: string;
  userDetail: StoredMember;
  openedBy: OpenedBy;
  /** For a token that came with an address, until the person confirms whose account it is. */
  confirmation: string;
  referral_code: string;
  /** The language of texts; unset for English. */
  language: string;
  /** The announcement shown at the last visit, with how many others there were; null where there was none. */
  announcement: StoredAnnouncement | null;
  /** Tokens that identify this browser, by Registered Id. */
  deviceTokens: DeviceTokens;
  operatorToken: string;
  operator: Operator;
  operatorDeviceTokens: DeviceTokens;
};

type Parts = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isInstant = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value));
const partsOf = (value: unknown): Parts | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parts) : undefined;

/** A value that no header can carry is not a token: the request would fail before the server could reject it. */
const tokenOf = (value: unknown) => (isText(value) && /^[\x21-\x7e]+$/.test(value) ? value : undefined);

function deviceTokensOf(value: unknown): DeviceTokens {
  const tokens = Object.entries(partsOf(value) ?? {}).filter(([, token]) => /^[A-Za-z0-9_-]{43}$/.test(String(token)));
  return Object.fromEntries(tokens) as DeviceTokens;
}

const memberTexts = ['id', 'referral_code', 'name', 'email', 'mobile_number', 'role', 'created_at'] as const;

function memberOf(value: unknown): StoredMember | undefined {
  const parts = partsOf(value);
  if (!parts) return undefined;
  const isThere = (field: (typeof memberTexts)[number]) =>
    field === 'created_at' ? isInstant(parts[field]) : typeof parts[field] === 'string';
  return Object.fromEntries(memberTexts.filter(isThere).map((field) => [field, parts[field]]));
}

/**
 * Storage may hold anything, so each value is validated. Invalid values count as not stored; of a member, the valid
 * parts are kept.
 */
const read: { [K in keyof Stored]: (value: unknown) => Stored[K] | undefined } = {
  accessToken: tokenOf,
  userDetail: memberOf,
  openedBy: (value) => {
    const { name, until } = partsOf(value) ?? {};
    return isText(name) && isInstant(until) ? { name, until } : undefined;
  },
  confirmation: tokenOf,
  referral_code: (value) => (isText(value) ? value : undefined),
  language: (value) => (isText(value) && /^[a-zA-Z-]{2,20}$/.test(value) ? value : undefined),
  announcement: (value) => {
    if (value === null) return null;
    const parts = partsOf(value);
    const isWhole =
      parts &&
      ['id', 'title', 'text'].every((field) => isText(parts[field])) &&
      ['from', 'to'].every((field) => isInstant(parts[field])) &&
      typeof parts.others === 'number';
    return isWhole ? (parts as StoredAnnouncement) : undefined;
  },
  deviceTokens: deviceTokensOf,
  operatorDeviceTokens: deviceTokensOf,
  operatorToken: tokenOf,
  operator: (value) => {
    const parts = partsOf(value);
    const isWhole =
      parts &&
      ['id', 'name', 'email', 'role'].every((field) => isText(parts[field])) &&
      typeof parts.second_factor === 'boolean';
    return isWhole ? (parts as Operator) : undefined;
  },
};

/** Whether the stored member is complete. */
export const isWholeMember = (member: StoredMember | undefined): member is User =>
  member !== undefined && memberTexts.every((field) => member[field] !== undefined);

/** The stored value, or undefined when there is none. A failure is logged, not thrown (the specification, point 8). */
export function readStored<K extends keyof Stored>(key: K): Stored[K] | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : read[key](JSON.parse(text));
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

/** Stores a value; undefined removes it. */
export function writeStored<K extends keyof Stored>(key: K, value: Stored[K] | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch (error) {
    console.error(error);
  }
}

export const removeStored = (key: keyof Stored): void => writeStored(key, undefined);
