import type { OperatorRole } from '#contract/endpoint.ts';

/** What decides whether an operator's approval counts. */
export type OperatorAuthority = {
  readonly id: bigint;
  readonly name: string;
  readonly role: OperatorRole;
  /** Neither disabled nor waiting for the first sign-in after an invitation or a reset. */
  readonly isActive: boolean;
  /** When the invitation was accepted or the role last lowered; null for an account created without one. */
  readonly acceptedAt: Date | null;
};

/**
 * Whether an operator's approval or proposal counts now (docs/operators-guide.md, "Approvals that count"): their
 * account is active, its role permits this today, and it was not disabled, reset or lowered in between. Approved on
 * Monday by finance: it counts on Tuesday. It no longer counts once they are disabled or moved to support, not even
 * after the account is restored or raised on Wednesday.
 */
export const doesCount = (
  authority: OperatorAuthority | undefined,
  roles: readonly OperatorRole[],
  givenAt: Date,
): boolean =>
  authority?.isActive === true &&
  roles.includes(authority.role) &&
  (authority.acceptedAt === null || authority.acceptedAt <= givenAt);

/** Who approved or proposed something, and when. */
export type GivenApproval = { readonly operatorId: bigint; readonly givenAt: Date };
export type Approval = GivenApproval & { readonly operatorName: string; readonly counts: boolean };

export type OperatorAuthorities = ReadonlyMap<bigint, OperatorAuthority>;

/** Adds to each approval the operator's name and whether it counts now. */
export const judge = <Given extends GivenApproval>(
  given: readonly Given[],
  authorities: OperatorAuthorities,
  roles: readonly OperatorRole[],
): (Given & Approval)[] =>
  given.map((one) => {
    const authority = authorities.get(one.operatorId);
    return { ...one, operatorName: authority?.name ?? '', counts: doesCount(authority, roles, one.givenAt) };
  });
