import { accountId, type MemberClass } from './account.ts';
import { flows, type Reason } from './flow.ts';

/** One range of an index: the transfers of one account on one side for one reason, in the order of their ids. */
export type StatementRange = { readonly account: bigint; readonly reason: Reason };

export type StatementRanges = { readonly debit: readonly StatementRange[]; readonly credit: readonly StatementRange[] };

/**
 * The ranges a statement is merged from. The flows tell which can exist at all; a reversal can meet either side of
 * any account. `statementRanges(3n, ['profit'], ['deposit'])` has none: a deposit never reaches that wallet.
 */
export function statementRanges(
  memberId: bigint,
  classes: readonly MemberClass[],
  reasons: readonly Reason[] | undefined,
): StatementRanges {
  const isWanted = (reason: Reason) => reasons === undefined || reasons.includes(reason);
  const rangesOf = (side: 0 | 1) =>
    classes.flatMap((name) => {
      const usual = flows.filter((flow) => flow[side] === name).map(([, , reason]) => reason);
      const account = accountId({ memberId, class: name });
      return [...new Set<Reason>([...usual, 'reversal'])].filter(isWanted).map((reason) => ({ account, reason }));
    });
  return { debit: rangesOf(0), credit: rangesOf(1) };
}
