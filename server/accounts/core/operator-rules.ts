import type { OperatorRole } from '#contract/endpoint.ts';
import { operatorRules } from '#contract/rules.ts';

const height: Readonly<Record<OperatorRole, number>> = { support: 0, finance: 1, admin: 2 };

/** Whether the second role has more rights: `isHigher('support', 'finance')`, not `isHigher('admin', 'finance')`. */
export const isHigher = (from: OperatorRole, to: OperatorRole): boolean => height[to] > height[from];

/** Roles that can pay money out, or create an operator who can. */
export const isGuarded = (role: OperatorRole): boolean => role !== 'support';

/**
 * The second factor that an operator must set up first. In live mode finance and admins need a passkey, which is safe
 * from phishing. `missingFactor({ mode: 'live', role: 'admin', hasApp: true, passkeys: 0 })` is `'passkey'`, and null
 * in any other mode.
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
 * Whether a change needs a second admin (docs/product.md, section 10): once there have been two admins, every reset and
 * every finance or admin account does. Otherwise it is executed at once.
 */
export const needsSecondAdmin = (
  change: { readonly kind: 'invite' | 'raise' | 'reset'; readonly role: OperatorRole },
  hadTwoAdmins: boolean,
): boolean => hadTwoAdmins && (change.kind === 'reset' || isGuarded(change.role));

/**
 * The delay between approval and execution: 24 hours for a new account or a higher role, so that the operators who were
 * emailed can stop it. None for a reset, which grants no new rights. An invitation as finance approved 2026-03-04 12:00
 * is emailed 2026-03-05 12:00.
 */
export const waitMsOf = (kind: 'invite' | 'raise' | 'reset'): number =>
  kind === 'reset' ? 0 : operatorRules.waitHours * HOUR_MS;

export const invitationEnd = (now: Date): Date => new Date(now.getTime() + operatorRules.invitationHours * HOUR_MS);
