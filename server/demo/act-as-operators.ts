import assert from 'node:assert/strict';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { findCaller, listOperators, openMember, signOut } from '#server/accounts/index.ts';
import { actingAs } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findFeePlans, proposeFeePlan } from '#server/fee-plans/index.ts';
import { findAsset } from '#server/market/index.ts';
import { publishAnnouncement } from '#server/operator/index.ts';
import { takeDailySnapshot } from '#server/solvency/index.ts';
import { setSpread } from '#server/trading/index.ts';
import { demoOrigin, ensureDemoAdmins, makeDemoOperator } from './make-operators.ts';
import { demoSupporter } from './people.ts';

/**
 * Operators' actions apart from withdrawals: support impersonated the member and ended it, as shown in the profile; a
 * cheaper fee plan awaits approval; a spread changes with the next session, as announced; and liabilities are sealed, so
 * that there is a proof to check.
 */
export async function actAsOperators(context: Context, memberId: bigint): Promise<void> {
  const reason = 'To see the rejected withdrawal that the ticket is about';
  const supporter = await makeDemoOperator(context, demoSupporter);
  const { accessToken } = await openMember(context, supporter.caller, { memberId, reason, ...demoOrigin });
  const looking = await findCaller(context, accessToken);
  assert(looking?.kind === 'member');
  await signOut(context, looking, demoOrigin.address);
  const adminId = await findFirstAdmin(context);
  await proposeCheaperTrades(context, adminId);
  await announceSpread(context, adminId);
  await takeDailySnapshot(context);
}

async function findFirstAdmin(context: Context): Promise<bigint> {
  const [login] = await ensureDemoAdmins(context);
  const admin = (await listOperators(context, 0n)).find(({ email }) => email === login?.email);
  assert(admin !== undefined, 'the first demo admin was just made');
  return BigInt(admin.id);
}

/** By the first of the two admins, so that the second one can approve it. */
async function proposeCheaperTrades(context: Context, operatorId: bigint): Promise<void> {
  const { current, next } = await findFeePlans(context.db);
  await proposeFeePlan(
    context,
    { operatorId, address: demoOrigin.address },
    {
      base_id: (next ?? current).id.toString(),
      terms: { ...firstFeePlan, trade_fee_bps: 35, weekly_bps: 1200 },
      reason: 'Cheaper trades, and more of the fee for the weekly pool',
    },
  );
}

const SYMBOL = 'doge';
const WEEK_MS = 7 * 86_400_000;

/** Widens a spread from the next session on, and announces it to all members for a week. */
async function announceSpread(context: Context, operatorId: bigint): Promise<void> {
  const actor = { operatorId, address: demoOrigin.address };
  const asset = await findAsset(context.db, SYMBOL);
  assert(asset, 'the demo world has a market');
  const why = 'Its order book at the exchange has become thinner';
  await setSpread(context, actor, { symbol: SYMBOL, version: asset.version, spread_bps: 14, why });
  const announcement = {
    title: 'A wider spread on doge/usdt',
    text: 'From the next session on it is 0.14% instead of 0.10%: half of it when you buy, half when you sell.\nThe reason is a thinner order book at the exchange. All spreads are listed under Fees.',
    from: null,
    to: new Date(context.now().getTime() + WEEK_MS),
    writtenBy: operatorId,
    executor: actingAs(actor),
    now: context.now(),
  };
  await inTransaction(context.db, (tx) => publishAnnouncement(tx, announcement));
}
