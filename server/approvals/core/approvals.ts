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
 * Whether what an operator approved or proposed counts now (docs/operators-guide.md, "Approvals that count"): their
 * account is active, its role may do this today, and it was not disabled or reset in between. Approved on Monday by
 * somebody of finance: it counts on Tuesday, not once they are disabled or moved to support, and not when the account
 * comes back on Wednesday either.
 */
export const doesCount = (
  authority: OperatorAuthority | undefined,
  roles: readonly OperatorRole[],
  givenAt: Date,
): boolean =>
  authority?.isActive === true &&
  roles.includes(authority.role) &&
  (authority.acceptedAt === null || authority.acceptedAt <= givenAt);

/** Who approved something, or proposed it, and when. */
export type GivenApproval = { readonly operatorId: bigint; readonly givenAt: Date };
export type Approval = GivenApproval & { readonly operatorName: string; readonly counts: boolean };

export type OperatorAuthorities = ReadonlyMap<bigint, OperatorAuthority>;

/** What was given, with the name of who gave it and whether it counts now. */
export const judge = <Given extends GivenApproval>(
  given: readonly Given[],
  authorities: OperatorAuthorities,
  roles: readonly OperatorRole[],
): (Given & Approval)[] =>
  given.map((one) => {
    const authority = authorities.get(one.operatorId);
    return { ...one, operatorName: authority?.name ?? '', counts: doesCount(authority, roles, one.givenAt) };
  });
