import type { Exchange, LedgerEntry, Trade, Transaction } from 'ccxt';
import { VenueFault } from './venue-port.ts';

/** In milliseconds, end exclusive. */
export type Period = { readonly from: number; readonly to: number };

/** A balance change other than a trade, as the exchange reports it, before any check. */
export type Movement = {
  /** `transfer`: in or out, depending on the sign. */
  readonly kind: 'transfer' | 'transfer_in' | 'transfer_out' | 'other';
  readonly id: unknown;
  readonly timestamp: number | undefined;
  readonly coin: unknown;
  /** Signed, before the fee. */
  readonly amount: string;
  readonly fee: unknown;
  readonly transaction: unknown;
  readonly word: unknown;
};

/** How exchange statements differ (docs/exchanges.md, "Statement"). Results may exceed the period; callers filter. */
export type StatementQuirks = {
  /** @param pairs against dollars, for an exchange that lists fills of one pair at a time */
  readonly listFills: (exchange: Exchange, pairs: readonly string[], period: Period) => Promise<readonly Trade[]>;
  readonly listMovements: (exchange: Exchange, period: Period) => Promise<readonly Movement[]>;
};

type Pages<T> = { readonly idOf: (row: T) => unknown; readonly isLast: (page: readonly T[]) => boolean };

/** Reads all pages. Stops when a page repeats, which would otherwise loop forever. */
async function readPages<T>(
  { idOf, isLast }: Pages<T>,
  read: (soFar: readonly T[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const rows: T[] = [];
  const ids = new Set<unknown>();
  for (;;) {
    const page = await read(rows);
    const before = ids.size;
    for (const row of page) ids.add(idOf(row));
    if (page.length > 0 && ids.size === before)
      throw new VenueFault('unreadable', 'the exchange sent the same page of its statement twice');
    rows.push(...page);
    if (isLast(page)) return rows;
  }
}

/** Calls an endpoint that ccxt has no suitable unified method for. */
async function fetchRows<Row>(exchange: Exchange, call: string, list: string, params: object): Promise<Row[]> {
  const ask = (exchange as unknown as Record<string, (params: object) => Promise<Record<string, unknown>>>)[call];
  const rows = (await ask?.(params))?.[list];
  if (!Array.isArray(rows)) throw new VenueFault('unreadable', `an answer to ${call} without ${list}`);
  return rows;
}

const isUnder = (size: number) => (page: readonly unknown[]) => page.length < size;
const idOf = ({ id }: { readonly id?: unknown }) => id;

const DAY_MS = 86_400_000;
const BINANCE_FILLS = 1000;

/** Fills of one pair, at most 24 hours per call. Binance does not accept a start id together with times. */
async function listBinanceFills(exchange: Exchange, pair: string, { from, to }: Period): Promise<Trade[]> {
  const fills: Trade[] = [];
  for (let startTime = from; startTime < to; ) {
    const endTime = Math.min(startTime + DAY_MS, to) - 1;
    let page = await exchange.fetchMyTrades(pair, undefined, BINANCE_FILLS, { startTime, endTime });
    fills.push(...page);
    while (page.length >= BINANCE_FILLS && (page.at(-1)?.timestamp ?? to) < to) {
      const fromId = String(BigInt(String(page.at(-1)?.id)) + 1n);
      page = await exchange.fetchMyTrades(pair, undefined, BINANCE_FILLS, { fromId });
      fills.push(...page);
    }
    startTime = Math.max(endTime, fills.at(-1)?.timestamp ?? 0) + 1;
  }
  return fills;
}

const BINANCE_TRANSFERS = 1000;

/** Completed deposits or withdrawals; pending ones appear in a later statement. */
async function listBinanceTransfers(
  period: Period,
  kind: 'transfer_in' | 'transfer_out',
  read: (params: object) => Promise<readonly Transaction[]>,
): Promise<Movement[]> {
  const rows = await readPages<Transaction>({ idOf: transferId, isLast: isUnder(BINANCE_TRANSFERS) }, (soFar) =>
    read({ startTime: period.from, endTime: period.to - 1, limit: BINANCE_TRANSFERS, offset: soFar.length }),
  );
  return rows
    .filter(({ status }) => status === 'ok')
    .map((row) => ({
      kind,
      id: transferId(row),
      timestamp: row.timestamp,
      coin: row.currency,
      amount: `${kind === 'transfer_in' ? '' : '-'}${row.amount}`,
      fee: row.fee?.cost,
      transaction: row.txid,
      word: row.type,
    }));
}

/** Older deposits have no id of their own. */
const transferId = ({ id, txid }: Transaction): unknown => id ?? txid;

type Dividend = { id: unknown; asset: unknown; amount: unknown; divTime: number; enInfo: unknown };
const BINANCE_DIVIDENDS = 500;

/** Rebates, interest and other distributions, newest first. Pages are only reachable by moving the end time. */
async function listBinanceDividends(exchange: Exchange, { from, to }: Period): Promise<Movement[]> {
  const rows = await readPages<Dividend>({ idOf, isLast: isUnder(BINANCE_DIVIDENDS) }, (soFar) => {
    const endTime = soFar.reduce((least, { divTime }) => Math.min(least, divTime), to - 1);
    return fetchRows(exchange, 'sapiGetAssetAssetDividend', 'rows', {
      startTime: from,
      endTime,
      limit: BINANCE_DIVIDENDS,
    });
  });
  return rows.map(({ id, asset, amount, divTime, enInfo }) => ({
    kind: 'other',
    id,
    timestamp: divTime,
    coin: exchange.safeCurrencyCode(String(asset)),
    amount: String(amount),
    fee: undefined,
    transaction: null,
    word: enInfo,
  }));
}

const listAllBinanceFills: StatementQuirks['listFills'] = async (exchange, pairs, period) => {
  const fills: Trade[] = [];
  for (const pair of pairs)
    if (exchange.markets?.[pair] !== undefined) fills.push(...(await listBinanceFills(exchange, pair, period)));
  return fills;
};

const listBinanceMoves: StatementQuirks['listMovements'] = async (exchange, period) => [
  ...(await listBinanceTransfers(period, 'transfer_in', (params) =>
    exchange.fetchDeposits(undefined, undefined, undefined, params),
  )),
  ...(await listBinanceTransfers(period, 'transfer_out', (params) =>
    exchange.fetchWithdrawals(undefined, undefined, undefined, params),
  )),
];

/** The sandbox has no wallet and lists trades only. */
const unlessSandbox =
  (list: StatementQuirks['listMovements']): StatementQuirks['listMovements'] =>
  async (exchange, period) =>
    exchange.isSandboxModeEnabled ? [] : list(exchange, period);

export const binanceStatement: StatementQuirks = {
  listFills: listAllBinanceFills,
  listMovements: unlessSandbox(async (exchange, period) => [
    ...(await listBinanceMoves(exchange, period)),
    ...(await listBinanceDividends(exchange, period)),
  ]),
};

export const binanceUsStatement: StatementQuirks = {
  listFills: listAllBinanceFills,
  listMovements: unlessSandbox(listBinanceMoves),
};

/** In seconds; the exchange excludes the start. Offsets are stable because the period lies in the past. */
const krakenTimes = ({ from, to }: Period) => ({ start: Math.floor(from / 1000) - 1, end: Math.ceil(to / 1000) });
const isEmpty = (page: readonly unknown[]) => page.length === 0;

const KRAKEN_TRANSFERS: readonly unknown[] = ['deposit', 'withdrawal', 'transfer'];

export const krakenStatement: StatementQuirks = {
  listFills: (exchange, _pairs, period) =>
    readPages<Trade>({ idOf, isLast: isEmpty }, ({ length: ofs }) =>
      exchange.fetchMyTrades(undefined, undefined, undefined, { ...krakenTimes(period), ofs }),
    ),
  listMovements: async (exchange, period) => {
    const entries = await readPages<LedgerEntry>({ idOf, isLast: isEmpty }, ({ length: ofs }) =>
      exchange.fetchLedger(undefined, undefined, undefined, { ...krakenTimes(period), ofs }),
    );
    return entries
      .filter(({ info }) => info.type !== 'trade')
      .map(({ id, timestamp, currency, info }) => ({
        kind: KRAKEN_TRANSFERS.includes(info.type) ? 'transfer' : 'other',
        id,
        timestamp,
        coin: currency,
        amount: String(info.amount),
        fee: info.fee,
        transaction: info.refid,
        word: info.type,
      }));
  },
};

const OKX_PAGE = 100;
const OKX_TRANSFER = '1';
const OKX_TRADE = '2';

type Bill = Readonly<Record<'billId' | 'ts' | 'ccy' | 'balChg' | 'type' | 'subType', string>>;

/** Pages backwards from the oldest bill so far. */
const beforeBill = (bills: readonly { readonly billId: string }[]) =>
  bills.length === 0
    ? {}
    : { after: String(bills.map(({ billId }) => BigInt(billId)).reduce((one, other) => (one < other ? one : other))) };

/** One millisecond wider, whether or not the exchange includes its bounds. */
const okxTimes = ({ from, to }: Period) => ({ begin: String(from - 1), end: String(to) });

export const okxStatement: StatementQuirks = {
  listFills: (exchange, _pairs, period) =>
    readPages<Trade>({ idOf: ({ info }) => info.billId, isLast: isUnder(OKX_PAGE) }, (soFar) =>
      exchange.fetchMyTrades(undefined, undefined, OKX_PAGE, {
        ...okxTimes(period),
        ...beforeBill(soFar.map(({ info }) => info)),
      }),
    ),
  listMovements: async (exchange, period) => {
    const bills = await readPages<Bill>({ idOf: ({ billId }) => billId, isLast: isUnder(OKX_PAGE) }, (soFar) =>
      // ccxt's unified call returns only bills of spot markets, which exclude transfers.
      fetchRows(exchange, 'privateGetAccountBillsArchive', 'data', {
        limit: OKX_PAGE,
        ...okxTimes(period),
        ...beforeBill(soFar),
      }),
    );
    return bills
      .filter(({ type }) => type !== OKX_TRADE)
      .map(({ billId, ts, ccy, balChg, type, subType }) => ({
        kind: type === OKX_TRANSFER ? 'transfer' : 'other',
        id: billId,
        timestamp: Number(ts),
        // The balance change already includes the fee.
        coin: exchange.safeCurrencyCode(ccy),
        amount: String(balChg),
        fee: undefined,
        transaction: null,
        word: `bill ${type}/${subType}`,
      }));
  },
};
