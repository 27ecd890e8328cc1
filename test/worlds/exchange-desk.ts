import { consoleLimits } from '#contract/operator/asset-limits.ts';
import { consoleAssets } from '#contract/operator/assets.ts';
import { consoleTreasury } from '#contract/operator/proposals.ts';
import { consoleStatement, type StatementFinding } from '#contract/operator/statement.ts';
import { consoleVenueFills, type UnsoldAsset } from '#contract/operator/venue-fills.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { tradingHalt } from '#contract/trading/halt.ts';
import { freezeMember, unfreezeMember } from '#server/accounts/index.ts';
import { approveProposal, type ListedKind, listProposalRows, rejectProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { moveCoins as moveOwnCoins } from '#server/funds/coins/move-coins.ts';
import { post } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { bookCoinSales } from '#server/solvency/index.ts';
import { proposeTreasuryMove, treasuryKind } from '#server/solvency/treasury/treasury-move.ts';
import { setSpread, switchAsset } from '#server/trading/assets/decide-asset.ts';
import { showAssets } from '#server/trading/assets/show-assets.ts';
import { listUnsold, proposeVenueFill, venueFillKind } from '#server/trading/execution/sell-elsewhere.ts';
import { findActiveHalt, haltTrading, liftHalt } from '#server/trading/halts/halt-trading.ts';
import { limitsKind, proposeLimits } from '#server/trading/limits/change-limits.ts';
import { lockLimits } from '#server/trading/limits/limit-sql.ts';
import { importWhenDue, requestImport } from '#server/trading/statement/import-statement.ts';
import { proposeSettlement, statementKind } from '#server/trading/statement/settle-finding.ts';
import { listFindings } from '#server/trading/statement/show-statement.ts';
import type { ExchangePair } from '#test/fake-servers/exchange-market.ts';
import { moveCoins, type NodeOrder, placeOrder, toText, toUnits } from '#test/fake-servers/exchange-orders.ts';
import { type ExchangeWorld, readBatches } from './exchange-world.ts';
import { actorOf, makeOperator } from './operators.ts';

/** What the second of two operators does about a proposal. */
export type Decision = 'approve' | 'reject' | 'leave';

type FillPayload = { readonly order?: { readonly client_order_id: string } };

const GONE = 'gone-';
const nameOf = ({ clientId }: NodeOrder) => clientId.replace(GONE, '');
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const toMicroDollars = (units: bigint) => Number(units / 100n) / 1e6;

/**
 * The operators of an exchange, and what happens there beside our orders: pairs come and go, orders are forgotten,
 * somebody trades by hand. What operators do is done, or refused with a code of their call.
 */
export async function openDesk(world: ExchangeWorld) {
  const { node, clock } = world;
  const { config } = world.context;
  const context: Context = { ...world.context, config: { ...config, payments: ['btcpay'] } };
  const { account, market } = node;
  const [finance, second] = [await makeOperator(context, 'finance'), await makeOperator(context, 'finance')];
  const admin = await makeOperator(context, 'admin');
  const pairs = new Map<string, ExchangePair>(market.pairs);
  const startTerms = [...market.pairs].map(([name, pair]) => [name, { ...pair }] as const);
  /** Client ids of orders that are not ours, or of which operators said what they filled. */
  const told = new Set<string>();
  /** What somebody bought or sold by hand. */
  const byHand = new Set<string>();
  /** How far our clock is ahead of the exchange's. */
  let aheadMs = 0;
  market.now = () => clock.now().getTime() - aheadMs;
  let acts = 0;
  const nextName = (name: string) => {
    acts += 1;
    return `${name}-${acts.toString().padStart(6, '0')}`;
  };

  /** Undefined when it was refused with one of the call's codes. */
  const attempt = async <T>(
    { refusals = [] }: { readonly refusals?: readonly RefusalCode[] },
    act: () => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof Refused && refusals.includes(error.code)) return undefined;
      throw error;
    }
  };
  const decideOn = async <Payload extends object, Shown extends object>(
    kind: ListedKind<Payload, Shown>,
    call: { readonly refusals?: readonly RefusalCode[] },
    id: bigint,
    decision: Decision,
  ): Promise<boolean> => {
    if (decision === 'leave') return false;
    const done = await attempt(call, async () =>
      decision === 'approve'
        ? approveProposal(context, kind, actorOf(second), { id, version: 1, otp: await second.code() })
        : rejectProposal(context, kind, actorOf(second), { id, version: 1, reason: 'No.' }),
    );
    return done !== undefined && decision === 'approve';
  };

  const proposeFill = async (
    input: Omit<Parameters<typeof proposeVenueFill>[2], 'reason' | 'far_from_mark'>,
    decision: Decision,
  ): Promise<boolean> => {
    const { proposeVenueFill: call, approveVenueFill } = consoleVenueFills;
    const proposed = await attempt(call, () =>
      proposeVenueFill(context, actorOf(finance), { ...input, reason: 'Checked.', far_from_mark: true }),
    );
    return proposed !== undefined && decideOn(venueFillKind, approveVenueFill, BigInt(proposed.id), decision);
  };

  /** What the exchange did with an order; not always under the id that its statement has. */
  const stateOrder = async ({ order, day, symbol }: UnsoldAsset, isIdRight: boolean, decision: Decision) => {
    const there = account.orders.find((one) => nameOf(one) === order?.client_order_id);
    const trades = account.trades.filter(({ orderId }) => orderId === there?.id);
    const coinFee = sum(trades.map(({ fee, feeCoin, coin }) => (feeCoin === coin ? fee : 0n)));
    const dollarFee = sum(trades.map(({ fee, feeCoin }) => (feeCoin === account.dollar ? fee : 0n)));
    const stated = {
      batch_id: order?.batch_id,
      quantity: toText(sum(trades.map(({ quantity }) => quantity)) - coinFee),
      cost: toMicroDollars(sum(trades.map(({ cost }) => cost))),
      fee: toMicroDollars(dollarFee),
      where: 'The exchange, by mail',
      transaction:
        trades[0] === undefined || !isIdRight ? nextName('ticket') : node.tradeIdOf(trades[0].id).padStart(6, '0'),
    };
    if (await proposeFill({ day, symbol, ...stated }, decision)) told.add(order?.client_order_id ?? '');
  };

  /** Coins leave the exchange, are sold elsewhere, and the dollars are paid in. */
  const sellElsewhere = async ({ day, symbol, ...left }: UnsoldAsset, percent: number) => {
    const coin = pairs.get(node.nameOf(symbol))?.coin ?? '';
    const most = [toUnits(left.quantity), toUnits(left.held), account.balances.get(coin) ?? 0n];
    const units = (most.reduce((least, one) => (one < least ? one : least)) * BigInt(percent)) / 100n;
    const costMicros = Math.floor(Number(toText(units)) * Number(left.mark) * 1e6);
    if (costMicros < 10_000) return;
    const feeMicros = Math.floor(costMicros / 1000);
    const sold = {
      ...{ day, symbol, quantity: toText(units), cost: costMicros / 1e6, fee: feeMicros / 1e6 },
      ...{ where: 'Desk Ltd', transaction: nextName('desk') },
    };
    if (!(await proposeFill(sold, 'approve'))) return;
    const at = market.now();
    moveCoins(account, { kind: 'withdrawal', coin, amount: `-${toText(units)}`, at, transaction: nextName('out') });
    const amount = ((costMicros - feeMicros) / 1e6).toFixed(6);
    moveCoins(account, { kind: 'deposit', coin: account.dollar, amount, at, transaction: nextName('in') });
  };

  const listOpen = async () =>
    (await listFindings(context, { state: 'open', limit: 100, id: undefined, cursor: undefined })).items;

  /** What can be booked is not just explained: the books would differ from the exchange. */
  const settle = async ({ id, bookable }: StatementFinding, wanted: 'booked' | 'explained', decision: Decision) => {
    const { proposeSettlement: call, approveSettlement } = consoleStatement;
    const input = { finding_id: id, how: bookable ? ('booked' as const) : wanted, reason: 'Checked.' };
    const proposed = await attempt(call, () => proposeSettlement(context, actorOf(finance), input));
    if (proposed !== undefined) await decideOn(statementKind, approveSettlement, BigInt(proposed.id), decision);
  };

  /** The house's own coins, paid in to be sold: those that arrived, less those that were sold. */
  let arrived = 0n;
  const unsold = async () =>
    arrived -
    toUnits(await getValue(context.db)<string>`select coalesce(sum(sold), 0)::text as sold from trading.coin_sale`);
  const sellOwn = async (units: string, percent: number, decision: Decision) => {
    // Members' sales would take these coins for those sold by hand, which could then be booked only with new positions.
    if (byHand.has('SELL btc')) return;
    const limit = (Number(pairs.get(node.nameOf('btc'))?.lastPrice) * percent) / 100;
    const { proposeTreasuryMove: call, approveTreasuryMove } = consoleTreasury;
    acts += 1;
    const transaction = acts.toString(16).padStart(64, 'c');
    const sale = { kind: 'coin_sale', units, limit_price: limit, reason: 'Checked.', transaction } as const;
    const proposed = await attempt(call, () => proposeTreasuryMove(context, actorOf(finance), sale));
    if (proposed === undefined || !(await decideOn(treasuryKind, approveTreasuryMove, BigInt(proposed.id), decision)))
      return;
    moveCoins(account, { kind: 'deposit', coin: 'BTC', amount: units, at: market.now(), transaction });
    arrived += toUnits(units);
  };

  const importDue = () => importWhenDue(context, async () => true, world.venue);

  return {
    pairs,
    apart: told as ReadonlySet<string>,
    listOpen,
    halt: () => attempt(tradingHalt.haltTrading, () => haltTrading(context, actorOf(finance), 'A look at it.')),
    lift: async () => {
      const halt = await findActiveHalt(context.db);
      const otp = await finance.code();
      const lifting = { version: Number(halt?.id ?? 0n), note: 'Over.', otp };
      return attempt(tradingHalt.liftHalt, () => liftHalt(context, actorOf(finance), lifting));
    },
    switchAsset: async (symbol: string, active: boolean) => {
      const version = (await showAssets(context)).find((asset) => asset.symbol === symbol)?.version ?? 0;
      const how = { symbol, version, active, why: 'A look at it.', ...(active && { otp: await admin.code() }) };
      return attempt(consoleAssets.setAssetActive, () => switchAsset(context, actorOf(admin), how));
    },
    /** From the next session on. */
    setSpread: async (symbol: string, bps: number) => {
      const version = (await showAssets(context)).find((asset) => asset.symbol === symbol)?.version ?? 0;
      const how = { symbol, version, spread_bps: bps, why: 'A look at it.', otp: await admin.code() };
      return attempt(consoleAssets.changeSpread, () => setSpread(context, actorOf(admin), how));
    },
    /** For all members together; null: none. */
    setLimit: async (symbol: string, all: number | null, decision: Decision) => {
      const { version } = await inTransaction(
        context.db,
        async (tx) => (await lockLimits(tx, symbol)) ?? { version: 1 },
      );
      const limits = { symbol, version, trade: null, member: null, all, reason: 'Checked.' };
      const { proposeLimits: call, approveLimits } = consoleLimits;
      const proposed = await attempt(call, () => proposeLimits(context, actorOf(finance), limits));
      if (proposed !== undefined) await decideOn(limitsKind, approveLimits, BigInt(proposed.id), decision);
    },
    freeze: (memberId: bigint, isFrozen: boolean) =>
      inTransaction(context.db, async (tx) => {
        const actor = { kind: 'system', id: null } as const;
        if (isFrozen) await freezeMember(tx, { memberId, actor, why: 'test', now: context.now() });
        else await unfreezeMember(tx, { memberId, actor, why: 'test', loosening: 1n });
      }),
    /** All pairs are listed and trade, on the terms of the beginning. */
    relist: () => {
      for (const [name, { lastPrice: _, pricedAtMs: __, ...terms }] of startTerms)
        market.pairs.set(name, Object.assign(pairs.get(name) as ExchangePair, terms));
    },
    /** Binance lists trades of listed pairs alone: one by hand would be found only if it is listed again within days. */
    delist: (symbol: string) =>
      !byHand.has(`BUY ${symbol}`) && !byHand.has(`SELL ${symbol}`) && market.pairs.delete(node.nameOf(symbol)),
    list: (symbol: string) => market.pairs.set(node.nameOf(symbol), pairs.get(node.nameOf(symbol)) as ExchangePair),
    /** Moves our clock against the exchange's. */
    shiftClock: (seconds: number) => {
      clock.shift(seconds);
      aheadMs += seconds * 1000;
    },
    rightClock: () => {
      clock.shift(-aheadMs / 1000);
      aheadMs = 0;
    },
    /** The exchange no longer knows an order that it took. */
    forget: async () => {
      const taken = (await readBatches(context)).some(({ state }) => state === 'sent');
      const order = account.orders.at(-1);
      if (taken && order !== undefined) Object.assign(order, { clientId: `${GONE}${nameOf(order)}` });
    },
    remember: () => {
      for (const order of account.orders) Object.assign(order, { clientId: nameOf(order) });
    },
    tradeByHand: async (symbol: string, side: 'BUY' | 'SELL', coins: string) => {
      // Members' coins can be sold by hand, and that can be booked.
      if (side === 'SELL' && symbol === 'btc' && (await unsold()) > 0n) return;
      const name = node.nameOf(symbol);
      const price = toUnits(pairs.get(name)?.lastPrice ?? '0');
      const limit = ((price * (side === 'BUY' ? 102n : 98n)) / 100n / 10_000_000n) * 10_000_000n;
      const clientId = nextName('hand');
      told.add(clientId);
      byHand.add(`${side} ${symbol}`);
      placeOrder(account, market, { symbol: name, clientId, side, quantity: toUnits(coins), limit });
    },
    /** Decides on one of the positions that were not sold, or of the orders that are not known. */
    bookOne: async (which: number, percent: number, decision: Decision) => {
      const { items } = await listUnsold(context);
      const item = items[which % Math.max(1, items.length)];
      if (item === undefined) return;
      await (item.order === null ? sellElsewhere(item, percent) : stateOrder(item, percent === 100, decision));
    },
    /** The exchange pays dollars that are neither a fill nor a transfer. */
    adjust: (cents: number) => {
      const amount = (cents / 100).toFixed(2);
      const transaction = nextName('adjustment');
      moveCoins(account, { kind: 'other', coin: account.dollar, amount, at: market.now(), transaction });
    },
    sellOwn,
    bookOwn: () => bookCoinSales(context),
    /** Pays the house's unsold coins out again. */
    payOut: async () => {
      const coins = await unsold();
      if (coins === 0n) return;
      const at = market.now();
      moveCoins(account, {
        kind: 'withdrawal',
        coin: 'BTC',
        amount: `-${toText(coins)}`,
        at,
        transaction: nextName('out'),
      });
      arrived -= coins;
    },
    importDue,
    importStatement: async () => {
      await requestImport(context, actorOf(finance));
      await importDue();
    },
    settleOne: async (which: number, how: 'booked' | 'explained', decision: Decision) => {
      const items = await listOpen();
      const item = items[which % Math.max(1, items.length)];
      if (item !== undefined) await settle(item, how, decision);
    },
    /** Oldest first: coins that were sold by hand may be those that were bought so before. */
    settleAll: async () => {
      for (const item of await listOpen()) await settle(item, 'explained', 'approve');
    },
    /** Answers proposals that were left, however much has changed since. */
    decideLeft: async (decision: 'approve' | 'reject') => {
      const left = { state: 'proposed', limit: 100, after: undefined } as const;
      for (const { id, payload } of await listProposalRows<FillPayload>(context.db, venueFillKind.name, left))
        if (await decideOn(venueFillKind, consoleVenueFills.approveVenueFill, id, decision))
          told.add(payload.order?.client_order_id ?? '');
      for (const { id } of await listProposalRows(context.db, statementKind.name, left))
        await decideOn(statementKind, consoleStatement.approveSettlement, id, decision);
    },
    /** Money for orders, as two operators recorded it, and a Bitcoin of the house. */
    fund: (dollars: bigint) => {
      const move = { amountMicros: dollars * 1_000_000n, reference: 'test', marketAt: context.now() };
      const [gateway, venue] = [{ class: 'gateway' }, { class: 'venue' }] as const;
      const amountMicros = 48_000_000_000n;
      return inTransaction(context.db, async (tx) => {
        await post(tx, [
          { ...move, key: 'test/capital', reason: 'capital_in', from: gateway, to: { class: 'adjustments' } },
          { ...move, key: 'test/fund', reason: 'venue_fund', from: venue, to: gateway },
          {
            ...move,
            key: 'test/coins',
            reason: 'capital_in',
            from: gateway,
            to: { class: 'adjustments' },
            amountMicros,
          },
        ]);
        const coins = { kind: 'opening', reference: 'test', units: '1', micros: amountMicros } as const;
        await moveOwnCoins(tx, 'btcpay', coins, context.now());
      });
    },
  };
}
