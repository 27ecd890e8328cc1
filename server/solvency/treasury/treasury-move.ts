import type { BodyOf } from '#contract/endpoint.ts';
import { toDollars, toMicros } from '#contract/money.ts';
import {
  consoleTreasury,
  type RevenueAccount,
  type TreasuryKind,
  type TreasuryMove,
} from '#contract/operator/proposals.ts';
import { operators } from '#server/accounts/index.ts';
import { type ListedKind, type OperatorActor, plainKind, propose, showProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { canShowCapital, isMoveCovered, lockCoinMicros, postCovered } from '#server/funds/index.ts';
import type { Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { listCoinSales } from '#server/trading/index.ts';
import { type CoinsToSell, floorMicros, minimumMicros, orderSale, refuseInvalidSale } from './coin-sale.ts';

type Payload = {
  readonly kind: TreasuryKind;
  /** Account of withdrawn revenue, else null. */
  readonly source: RevenueAccount | null;
  /** Text, so that JSON keeps every digit. */
  readonly amountMicros: string;
  /** Reference of the external payment. */
  readonly transaction: string;
  /** Present for a sale of coins. */
  readonly sale?: CoinsToSell;
};
type Shown = Pick<TreasuryMove, 'transfer_id' | 'kind' | 'source' | 'amount' | 'transaction' | 'sale'>;

/**
 * A treasury move. Approving refuses `not_covered` when its source does not hold the money or a withdrawal exceeds the
 * surplus, `capital_too_large` when reports could not display the assets, and for a sale of coins what
 * `refuseInvalidSale` refuses.
 */
export const treasuryKind: ListedKind<Payload, Shown> = {
  ...plainKind('treasury'),
  subject: 'treasury_move',
  roles: consoleTreasury.approveTreasuryMove.access,
  operators,
  execute: async (tx, context, { id, reference, payload, reason }) => {
    const { kind, source, transaction, sale } = payload;
    if (kind === 'coin_sale') {
      const saleId = await orderSale(tx, context, reference as string, sale as CoinsToSell);
      return { resultId: saleId, logged: { saleId, kind, ...sale } };
    }
    const amountMicros = BigInt(payload.amountMicros);
    const transfer = {
      key: `treasury/${id}/move`,
      ...endsOf(payload),
      amountMicros,
      reason: kind,
      reference: reference as string,
      marketAt: await getMarketTime(tx),
      note: `${transaction}: ${reason}`,
    };
    const coinMicros = await lockCoinMicros(tx);
    const transferId = await postCovered(tx, transfer, (house) => {
      if (kind === 'capital_in' && !canShowCapital(house, amountMicros)) throw new Refused('capital_too_large');
      return isMoveCovered(house, { kind, source, amountMicros, coinMicros });
    });
    return { resultId: transferId, logged: { transferId, kind, source, amountMicros } };
  },
  show: async (db, proposals) => {
    const sales = await listCoinSales(
      db,
      proposals.flatMap(({ payload, reference }) => (payload.sale && reference) ?? []),
    );
    return proposals.map(({ payload, reference, resultId }) => ({
      transfer_id: payload.sale ? null : (resultId?.toString() ?? null),
      kind: payload.kind,
      source: payload.source,
      amount: toDollars(BigInt(payload.amountMicros)),
      transaction: payload.transaction,
      sale: payload.sale
        ? showSale(
            payload.sale,
            sales.find((sale) => sale.reference === reference),
          )
        : null,
    }));
  },
};

function showSale(
  { units, limitPrice }: CoinsToSell,
  sale: Awaited<ReturnType<typeof listCoinSales>>[number] | undefined,
): TreasuryMove['sale'] {
  const { state = null, sold = null, dollars = null, reason = null } = sale ?? {};
  const proceeds = dollars === null ? null : toDollars(floorMicros(dollars));
  return { units, limit_price: Number(limitPrice), state, sold, proceeds, reason };
}

/**
 * Proposes a treasury move (docs/product.md, section 2, "Treasury and corrections"). It is booked when another operator
 * approves it.
 */
export function proposeTreasuryMove(
  context: Context,
  actor: OperatorActor,
  input: BodyOf<typeof consoleTreasury.proposeTreasuryMove>,
  once?: Once,
): Promise<TreasuryMove> {
  const { kind, reason, transaction } = input;
  const sale =
    input.kind === 'coin_sale' ? { units: input.units, limitPrice: input.limit_price.toString() } : undefined;
  const amountMicros = input.kind === 'coin_sale' ? minimumMicros(sale as CoinsToSell) : toMicros(input.amount);
  const source = input.kind === 'revenue_out' ? input.source : null;
  const payload = { kind, source, amountMicros: amountMicros.toString(), transaction, ...(sale && { sale }) };
  return runOnce(context.db, once, async (tx) => {
    if (sale !== undefined) await refuseInvalidSale(tx, context, sale);
    return showProposal(tx, treasuryKind, await propose(tx, context, treasuryKind, actor, { payload, reason }));
  });
}

/**
 * Gateway and venue are asset accounts, increased by debits: money sent to the venue goes from `venue` to `gateway`.
 */
function endsOf({ kind, source }: Payload): Pick<Transfer, 'from' | 'to'> {
  if (kind === 'venue_fund') return { from: { class: 'venue' }, to: { class: 'gateway' } };
  if (kind === 'venue_return') return { from: { class: 'gateway' }, to: { class: 'venue' } };
  if (kind === 'capital_in') return { from: { class: 'gateway' }, to: { class: 'adjustments' } };
  return { from: { class: source ?? 'fee_revenue' }, to: { class: 'gateway' } };
}
