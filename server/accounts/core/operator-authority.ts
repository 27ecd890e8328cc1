import type { OperatorRole } from '#contract/endpoint.ts';

/** What decides whether an operator's approval counts. */
export type OperatorAuthority = {
  readonly id: bigint;
  readonly name: string;
  readonly role: OperatorRole;
  /** Neither disabled nor waiting for the first sign-in after an invitation or a reset. */
  readonly isActive: boolean;
  /** When the invitation was accepted; null of an account made without one. */
  readonly acceptedAt: Date | null;
};

/**
 * Whether what an operator approved or proposed counts now (docs/operator-roles.md, "Approvals that count"): their account is
 * active, its role may do this today, and it was not disabled or reset in between. Approved on Monday by somebody of
 * finance: it counts on Tuesday, not once they are disabled or moved to support, and not when the account comes back on
 * Wednesday either.
 */
export const doesCount = (
  authority: OperatorAuthority | undefined,
  roles: readonly OperatorRole[],
  givenAt: Date,
): boolean =>
  authority?.isActive === true &&
  roles.includes(authority.role) &&
  (authority.acceptedAt === null || authority.acceptedAt <= givenAt);
