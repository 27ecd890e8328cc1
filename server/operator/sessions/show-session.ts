import { toDollars } from '#contract/money.ts';
import type { ConsoleSession } from '#contract/operator/sessions.ts';
import type { SessionFigures } from '#server/trading/index.ts';

/** A session as lists show it. What it came to is said once it is settled: until then it is not known. */
export const showSession = (
  session: SessionFigures,
  bonusRun: ConsoleSession['bonus_run'] | undefined,
): ConsoleSession => ({
  day: session.day,
  state: session.state,
  opens_at: session.opensAt.toISOString(),
  closes_at: session.closesAt.toISOString(),
  opened_at: session.openedAt?.toISOString() ?? null,
  closed_at: session.closedAt?.toISOString() ?? null,
  settled_at: session.settledAt?.toISOString() ?? null,
  figures:
    session.state === 'settled'
      ? {
          trades: Number(session.trades),
          members: Number(session.members),
          staked: toDollars(session.staked),
          trade_fees: toDollars(session.tradeFees),
          performance_fees: toDollars(session.performanceFees),
          gross: toDollars(session.gross),
        }
      : null,
  manifest_hash: session.manifestHash,
  bonus_run: bonusRun ?? null,
});
