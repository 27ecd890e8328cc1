import { z } from 'zod';
import { endpoint, id, instant, line, operatorRoles, page, paging } from '../endpoint.ts';
import { memberName, money, one, signedMoney } from '../fields.ts';
import { ledgerReasons } from '../ledger-reasons.ts';

/** All accounts (docs/ledger.md): five per member, and those of the house. */
export const memberAccounts = ['primary', 'profit', 'trade_escrow', 'investment', 'withdrawal_hold'] as const;
export const houseAccounts = [
  'gateway',
  'venue',
  'unallocated',
  'trade_fees',
  'performance_fees',
  'fee_revenue',
  'pool_weekly',
  'pool_monthly',
  'pool_rewards',
  'withdrawal_fees',
  'venue_result',
  'gateway_result',
  'adjustments',
] as const;
const accounts = [...memberAccounts, ...houseAccounts] as const;

/** One side of a transfer; house accounts have no member and no balance after. */
const side = z.strictObject({
  account: z.enum(accounts),
  member: memberName.nullable(),
  balance_after: money.nullable(),
});

export const ledgerTransfer = z.strictObject({
  id,
  from: side,
  to: side,
  amount: money,
  reason: z.enum(ledgerReasons),
  /** What it belongs to: `trade 17`, `DP-7M2QX4`. */
  reference: z.string(),
  /** The idempotency key: `trade/17/place`. */
  key: z.string(),
  note: z.string().nullable(),
  /** The transfer that it reverses. */
  reverses: id.nullable(),
  market_at: instant,
  created_at: instant,
});
export type LedgerTransfer = z.output<typeof ledgerTransfer>;

const seal = z.strictObject({
  no: id,
  sealed_at: instant,
  transfers: z.number().int(),
  /** SHA-256 in hexadecimal, like all hashes here. */
  root: z.string(),
  previous_hash: z.string(),
  hash: z.string(),
});
export type LedgerSeal = z.output<typeof seal>;

export const ledgerTransferDetail = ledgerTransfer.extend({
  hash: z.string(),
  /** The transfer that reversed it. */
  reversed_by: id.nullable(),
  /** The seal that covers it; null for at most about a minute. */
  seal: seal.nullable(),
});
export type LedgerTransferDetail = z.output<typeof ledgerTransferDetail>;

const inclusion = z.strictObject({
  /** Hash of the transfer, recomputed from its fields. */
  leaf: z.string(),
  /** Whether the hash stored in the row equals it. */
  hash_fits: z.boolean(),
  /** Index from 0 among `leaves`: transfers by id, then the balances of the house. */
  index: z.number().int(),
  leaves: z.number().int(),
  /** From the leaf to the root: the sibling's hash, and on which side it is. */
  path: z.array(z.strictObject({ side: z.enum(['left', 'right']), hash: z.string() })),
  /** The root computed from leaf and path; equals the seal's `root` if nothing was changed. */
  root: z.string(),
  included: z.boolean(),
  seal,
});
export type LedgerInclusion = z.output<typeof inclusion>;

export const consoleLedger = {
  listLedgerAccounts: endpoint({
    method: 'GET',
    path: '/operator/ledger/accounts',
    access: operatorRoles,
    summary: 'List balances of house accounts and of member accounts by class',
    data: z.strictObject({
      items: z.array(
        z.strictObject({
          account: z.enum(accounts),
          group: z.enum(['asset', 'member', 'owed', 'surplus']),
          /** Holdings of gateway and venue are positive. */
          amount: signedMoney,
        }),
      ),
    }),
  }),
  listLedgerTransfers: endpoint({
    method: 'GET',
    path: '/operator/ledger/transfers',
    access: operatorRoles,
    summary:
      'List or search transfers by account, member, reason, reference, key and period, newest first. A page may be short while `next_cursor` is set, because filters without an index are searched in batches',
    query: z.strictObject({
      ...paging,
      account: z.enum(accounts, 'Not an account.').optional(),
      registered_id: line(20).optional(),
      reason: z.enum(ledgerReasons, 'Not a reason.').optional(),
      reference: line(100).optional(),
      /** A full key, or a prefix that ends in a slash: `trade/17/`. */
      key: line(200).optional(),
      /** Real time; `from` is inclusive, `to` exclusive. */
      from: instant.optional(),
      to: instant.optional(),
      /** As a file, newest first, without paging; at most 100 000 transfers, and a last line if there are more. */
      format: z.literal('csv').optional(),
    }),
    data: page(ledgerTransfer),
    refusals: ['period_turned'],
    file: 'text/csv',
  }),
  getLedgerTransfer: endpoint({
    method: 'GET',
    path: '/operator/ledger/transfers/:id',
    access: operatorRoles,
    summary: 'Get a transfer with its hash, reversal and seal',
    params: one,
    data: ledgerTransferDetail,
    refusals: ['transfer_not_found'],
  }),
  getLedgerInclusion: endpoint({
    method: 'GET',
    path: '/operator/ledger/transfers/:id/inclusion',
    access: operatorRoles,
    summary: 'Get the inclusion proof of a transfer in its seal, computed from current data',
    params: one,
    data: inclusion,
    refusals: ['transfer_not_found', 'transfer_not_sealed'],
  }),
  listLedgerSeals: endpoint({
    method: 'GET',
    path: '/operator/ledger/seals',
    access: operatorRoles,
    summary: 'List ledger seals, newest first',
    query: z.strictObject(paging),
    data: page(seal),
  }),
};
