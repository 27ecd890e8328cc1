import type { OperatorRole } from '#contract/endpoint.ts';
import { operatorRules } from '#contract/rules.ts';

const height: Readonly<Record<OperatorRole, number>> = { support: 0, finance: 1, admin: 2 };

/** Whether the second role may do more: `isHigher('support', 'finance')`, not `isHigher('admin', 'finance')`. */
export const isHigher = (from: OperatorRole, to: OperatorRole): boolean => height[to] > height[from];

/** The roles that can let money out, or make somebody who can. */
export const isGuarded = (role: OperatorRole): boolean => role !== 'support';

/**
 * What an operator has to set up before anything else: a second factor, and where real money is, finance and admins a
 * passkey, which no copied page can ask for. `missingFactor({ mode: 'live', role: 'admin', hasApp: true, passkeys: 0 })`
 * is `'passkey'`, and null with any other mode.
 */
export function missingFactor(operator: {
  readonly mode: 'paper' | 'staging' | 'live';
  readonly role: OperatorRole;
  readonly hasApp: boolean;
  readonly passkeys: number;
}): 'any' | 'passkey' | null {
  const { mode, role, hasApp, passkeys } = operator;
  if (passkeys > 0) return null;
  if (mode === 'live' && isGuarded(role)) return 'passkey';
  return hasApp ? null : 'any';
}

const HOUR_MS = 3_600_000;

/**
 * Whether it takes a second admin (docs/product.md, section 10): once two admins were there, a finance or admin account and
 * every reset do. Support accounts, and everything while there was one admin only, are done at once.
 */
export const needsSecondAdmin = (
  change: { readonly kind: 'invite' | 'raise' | 'reset'; readonly role: OperatorRole },
  hadTwoAdmins: boolean,
): boolean => hadTwoAdmins && (change.kind === 'reset' || isGuarded(change.role));

/**
 * From the approval until it is carried out: 24 hours for a new account or a higher role, so that everybody who was emailed
 * can still stop it; a reset at once, because it gives nobody more than they had. Approved 2026-03-04 12:00, an invitation
 * as finance is emailed 2026-03-05 12:00.
 */
export const waitMsOf = (kind: 'invite' | 'raise' | 'reset'): number =>
  kind === 'reset' ? 0 : operatorRules.waitHours * HOUR_MS;

export const invitationEnd = (now: Date): Date => new Date(now.getTime() + operatorRules.invitationHours * HOUR_MS);
