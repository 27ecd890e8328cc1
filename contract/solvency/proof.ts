import { z } from 'zod';
import { endpoint, id, instant, page, paging } from '../endpoint.ts';
import { money, signedMoney } from '../fields.ts';
import { keyStatement, publishedHeads } from './heads.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Whole micros as decimal text, so that hashed values are exact on the wire at any size. */
const micros = z.string().regex(/^\d{1,19}$/);

/** The public part of a snapshot (docs/solvency.md). `hash` commits to the rest, and the next one is chained to it. */
export const solvencySnapshot = z.strictObject({
  /** 1: one leaf per member. 2: balances are split into leaves of random size. */
  version: z.literal([1, 2]),
  no: z.string(),
  market_day: z.iso.date(),
  taken_at: instant,
  /** Version 1: the number of members. Version 2: includes padding, a power of two. */
  leaves: z.number().int(),
  sum_micros: micros,
  root: hash,
  /** Liabilities to members, summed from the ledger's flows. */
  liabilities_micros: micros,
  ledger_seal: z.strictObject({ no: z.string(), hash }),
  previous_hash: hash,
  hash,
});
export type SolvencySnapshot = z.output<typeof solvencySnapshot>;

/** The sibling of each node on the way to the root, starting with the leaf's. */
const path = z.array(z.strictObject({ sum_micros: micros, hash }));

const counted = {
  referral_code: z.string(),
  balances_micros: z.strictObject({
    primary: micros,
    profit: micros,
    trade_escrow: micros,
    investment: micros,
    withdrawal_hold: micros,
  }),
  nonce: hash,
};

const wholeLeaf = z.strictObject({ ...counted, position: z.number().int(), path });
const splitLeaf = z.strictObject({
  ...counted,
  /** Each with its own path to the root; together they add up to the balances. */
  parts: z.array(z.strictObject({ amount_micros: micros, position: z.number().int(), path })),
});

/** A member's leaf in a snapshot of version 1, and in one of version 2. */
export type WholeLeaf = z.output<typeof wholeLeaf>;
export type SplitLeaf = z.output<typeof splitLeaf>;
export type SolvencyLeaf = WholeLeaf | SplitLeaf;

/** `leaf` is null for a member who joined after the snapshot; everything is null before the first one. */
export const ownLeaf = z
  .strictObject({ snapshot: solvencySnapshot, leaf: z.union([splitLeaf, wholeLeaf]).nullable() })
  .nullable();

/** Holdings reported by a custodian. Null: not asked yet, no answer, or an answer too old to count. */
const reported = z.strictObject({
  /** `simulated`: nothing real is held and nobody reports, so the booked figure applies. */
  state: z.enum(['simulated', 'reported', 'unknown']),
  booked: signedMoney,
  reported: money.nullable(),
  /** Time of the last answer, even if it is too old. */
  at: instant.nullable(),
});

/** Selects a snapshot; the latest if omitted. */
const ofSnapshot = z.strictObject({ no: id.optional() });

export const solvencySeal = {
  getSnapshot: endpoint({
    method: 'GET',
    path: '/solvency/snapshot',
    access: 'public',
    summary: 'Get the latest proof of liabilities, or the one with a number; null before the first',
    query: ofSnapshot,
    data: solvencySnapshot.nullable(),
    refusals: ['not_found'],
  }),
  listSnapshots: endpoint({
    method: 'GET',
    path: '/solvency/snapshots',
    access: 'public',
    summary: 'List proofs of liabilities, newest first; each is chained to the previous one',
    query: z.strictObject(paging),
    data: page(solvencySnapshot),
  }),
  getOwnLeaf: endpoint({
    method: 'GET',
    path: '/solvency/my-leaf',
    access: 'member',
    summary: 'Get your leaves in the latest proof of liabilities, or in a kept one, with their paths to the root',
    query: ofSnapshot,
    data: ownLeaf,
    refusals: ['not_found'],
  }),
  listOwnProofs: endpoint({
    method: 'GET',
    path: '/solvency/my-proofs',
    access: 'member',
    summary: 'List the proofs of liabilities that include you and whose leaves are kept, newest first',
    data: z.strictObject({ items: z.array(solvencySnapshot.pick({ no: true, market_day: true, taken_at: true })) }),
  }),
  getReported: endpoint({
    method: 'GET',
    path: '/solvency/reported',
    access: 'member',
    summary: 'Get balances reported by payment gateway and exchange beside the ledger’s',
    data: z.strictObject({
      /** Paper mode: no real money is held, and nobody reports. */
      simulated: z.boolean(),
      gateway: reported,
      venue: reported,
      /** Sum of both; null unless each is known or simulated. */
      total: signedMoney.nullable(),
      /** The lower of booked and reported, which the alarm compares with liabilities. */
      counted: signedMoney,
    }),
  }),
};

export const solvencyHeads = {
  getHeads: endpoint({
    method: 'GET',
    path: '/solvency/heads',
    access: 'public',
    summary:
      'Get the seals of ledger, audit log and proof of liabilities that were published last, and the keys that sign',
    data: z.strictObject({
      /** Null before the first. */
      latest: publishedHeads.nullable(),
      /** All keys so far, newest last. */
      keys: z.array(keyStatement),
    }),
  }),
  listHeads: endpoint({
    method: 'GET',
    path: '/solvency/heads/published',
    access: 'public',
    summary: 'List the seals that were published, one document an hour, newest first',
    query: z.strictObject(paging),
    data: page(publishedHeads),
  }),
};
