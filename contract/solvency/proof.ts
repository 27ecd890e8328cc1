import { z } from 'zod';
import { endpoint, instant, page, paging } from '../endpoint.ts';
import { money, signedMoney } from '../money.ts';
import { keyStatement, publishedHeads } from './heads.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Whole micros as decimal text: what is hashed goes over the wire exactly, however large. */
const micros = z.string().regex(/^\d{1,19}$/);

/** The public part of a snapshot (docs/solvency.md). `hash` commits to all the rest and is what the next one is chained to. */
export const solvencySnapshot = z.strictObject({
  no: z.string(),
  market_day: z.iso.date(),
  taken_at: instant,
  /** Members counted. */
  leaves: z.number().int(),
  sum_micros: micros,
  root: hash,
  /** What the ledger's flows say that members are owed. */
  liabilities_micros: micros,
  ledger_seal: z.strictObject({ no: z.string(), hash }),
  previous_hash: hash,
  hash,
});
export type SolvencySnapshot = z.output<typeof solvencySnapshot>;

const leaf = z.strictObject({
  referral_code: z.string(),
  balances_micros: z.strictObject({
    primary: micros,
    profit: micros,
    trade_escrow: micros,
    investment: micros,
    withdrawal_hold: micros,
  }),
  nonce: hash,
  position: z.number().int(),
  /** The other node of each pair on the way up, from the leaf's neighbour on. */
  path: z.array(z.strictObject({ sum_micros: micros, hash })),
});

export type SolvencyLeaf = z.output<typeof leaf>;

/** `leaf` is null for who joined after the snapshot. All of it is null before the first one. */
export const ownLeaf = z.strictObject({ snapshot: solvencySnapshot, leaf: leaf.nullable() }).nullable();

/** What one that holds assets says it holds. Null: not asked yet, no answer, or an answer that is too old to count. */
const reported = z.strictObject({
  /** `simulated` holds nothing real, so there is nobody to report: its booked figure stands. */
  state: z.enum(['simulated', 'reported', 'unknown']),
  booked: signedMoney,
  reported: money.nullable(),
  /** Of the last answer, also of one that is too old. */
  at: instant.nullable(),
});

export const solvencySeal = {
  getSnapshot: endpoint({
    method: 'GET',
    path: '/solvency/snapshot',
    access: 'public',
    summary: 'Get the latest proof of liabilities; null before the first',
    data: solvencySnapshot.nullable(),
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
    summary: 'Get your leaf in the latest proof of liabilities with its path to the root',
    data: ownLeaf,
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
      /** Both together, where each is known or simulated. */
      total: signedMoney.nullable(),
      /** The lower of booked and reported, which the alarm compares with what is owed. */
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
      /** All keys there were, the newest last. */
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
