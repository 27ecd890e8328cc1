import type { BodyOf, DataOf } from '#contract/endpoint.ts';
import { dollarsOrNull, toMicros } from '#contract/money.ts';
import { consoleLimits, type LimitChange, type LimitsOfSize } from '#contract/operator/asset-limits.ts';
import type { Proposal } from '#contract/operator/proposals.ts';
import { symbols } from '#contract/rules.ts';
import type { trading } from '#contract/trading/trading.ts';
import { operators } from '#server/accounts/index.ts';
import { type ListedKind, type OperatorActor, plainKind, propose, showProposal } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import type { LimitsOfSize as Limits } from '../core/asset-limits.ts';
import { depthSince, listLimits, lockLimits, updateLimits } from './limit-sql.ts';

type Texts = Readonly<Record<keyof Limits, string | null>>;
/** Micros as text, because JSON would round them. */
type Payload = Texts & {
  readonly symbol: string;
  /** Version of the limits that the operator saw. */
  readonly version: number;
  readonly before: Texts;
};
type Shown = Omit<LimitChange, keyof Proposal>;

/**
 * A change of an asset's size limits (docs/product.md, section 3, "Position limits"). It replaces exactly the limits
 * that both operators saw.
 *
 * Approving refuses `limits_changed`.
 */
export const limitsKind: ListedKind<Payload, Shown> = {
  ...plainKind('asset_limits'),
  subject: 'asset_limits',
  roles: consoleLimits.approveLimits.access,
  operators,
  execute: async (tx, _context, { id, payload, reason }, executor) => {
    const { symbol, version } = payload;
    const before = await lockLimits(tx, symbol);
    if (before?.version !== version) throw new Refused('limits_changed');
    await updateLimits(tx, symbol, readTexts(payload));
    await writeAudit(tx, {
      ...executor,
      action: 'asset.limits',
      subject: `asset:${symbol}`,
      before: inDollars(before),
      after: { ...inDollars(readTexts(payload)), why: reason },
    });
    return { resultId: id, logged: { symbol } };
  },
  show: async (_db, proposals) =>
    proposals.map(({ payload }) => ({
      symbol: payload.symbol,
      limits: inDollars(readTexts(payload)),
      before: inDollars(readTexts(payload.before)),
    })),
};

/**
 * Proposes size limits of an asset. Nothing changes until another operator approves.
 *
 * Refuses `asset_not_found`, `limits_changed` when the operator saw different limits, `limits_unchanged`.
 */
export function proposeLimits(
  context: Context,
  actor: OperatorActor,
  { symbol, version, reason, ...wanted }: BodyOf<typeof consoleLimits.proposeLimits>,
  once?: Once,
): Promise<LimitChange> {
  return runOnce(context.db, once, async (tx) => {
    const before = orRefuse(await lockLimits(tx, symbol), 'asset_not_found');
    if (before.version !== version) throw new Refused('limits_changed');
    const limits: Limits = {
      tradeMicros: micros(wanted.trade),
      memberMicros: micros(wanted.member),
      allMicros: micros(wanted.all),
    };
    const [texts, textsBefore] = [writeTexts(limits), writeTexts(before)];
    if (JSON.stringify(texts) === JSON.stringify(textsBefore)) throw new Refused('limits_unchanged');
    const payload = { symbol, version, ...texts, before: textsBefore };
    return showProposal(tx, limitsKind, await propose(tx, context, limitsKind, actor, { payload, reason }));
  });
}

const micros = (dollars: number | null): bigint | null => (dollars === null ? null : toMicros(dollars));

/** Limits in dollars, as shown to everyone. */
export const inDollars = ({ tradeMicros, memberMicros, allMicros }: Limits): LimitsOfSize => ({
  trade: dollarsOrNull(tradeMicros),
  member: dollarsOrNull(memberMicros),
  all: dollarsOrNull(allMicros),
});

const writeTexts = (limits: Limits): Texts => mapLimits(limits, String);
const readTexts = (texts: Texts): Limits => mapLimits(texts, BigInt);

function mapLimits<From, To>(
  { tradeMicros, memberMicros, allMicros }: Readonly<Record<keyof Limits, From | null>>,
  write: (amount: From) => To,
): Record<keyof Limits, To | null> {
  const orNull = (amount: From | null) => (amount === null ? null : write(amount));
  return { tradeMicros: orNull(tradeMicros), memberMicros: orNull(memberMicros), allMicros: orNull(allMicros) };
}

/** Size limits by asset; for all members together the effective limit, including order book depth. */
export async function showLimits(context: Context): Promise<DataOf<typeof trading.listLimits>> {
  const limits = await listLimits(context.db, depthSince(context));
  return {
    items: limits
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .map(({ roomMicros, ...line }) => ({
        symbol: line.symbol,
        ...inDollars({ ...line, allMicros: roomMicros }),
      })),
  };
}

/** In the specification's order. */
const rankOf = ({ symbol }: { readonly symbol: string }): number => (symbols as readonly string[]).indexOf(symbol);
