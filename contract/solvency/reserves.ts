import { z } from 'zod';
import { endpoint, financeRoles, id, instant, line } from '../endpoint.ts';
import { multilineText, operatorCode, secondFactorRefusals, why } from '../fields.ts';
import { decisionsOf, proposal } from '../operator/proposals.ts';
import { english } from '../texts.ts';

const { t } = english;

/** Signatures are BIP-322 for Bitcoin's addresses, EIP-191 for Ethereum's. Test networks are refused in live mode. */
export const reserveNetworks = ['bitcoin', 'bitcoin_testnet', 'ethereum'] as const;
export type ReserveNetwork = (typeof reserveNetworks)[number];

const fields = {
  network: z.enum(reserveNetworks),
  address: line(100, t`Enter the address.`),
  /** Claimed amount in units of the asset. Anyone can verify it at the address. */
  amount: z.string().regex(/^(0|[1-9]\d{0,14})(\.\d{1,18})?$/, t`Enter an amount in numbers.`),
  asset: z.string().regex(/^[A-Z0-9]{2,10}$/, t`Enter the symbol of the asset.`),
  /** Verbatim as signed; it contains its day as `2026-03-04`. */
  message: multilineText(1000, t`Enter the message that was signed.`),
  signature: line(1000, t`Enter the signature.`),
};

const statement = z.strictObject({
  id,
  network: fields.network,
  address: z.string(),
  amount: z.string(),
  asset: z.string(),
  message: z.string(),
  signature: z.string(),
  /** The day stated in the message. */
  signed_on: z.iso.date(),
  published_at: instant,
  /** Paper mode: the key is a test key and holds nothing. */
  simulated: z.boolean(),
});
export type ReserveStatement = z.output<typeof statement>;

/** Holdings of the company's addresses, signed with their keys. */
export const reserves = {
  listReserves: endpoint({
    method: 'GET',
    path: '/solvency/reserves',
    access: 'member',
    summary: 'List signed statements of reserves, the latest of each address, for a check in the browser',
    data: z.strictObject({ items: z.array(statement) }),
  }),
};

const reserveProposal = proposal.extend({
  ...statement.omit({ id: true, published_at: true, simulated: true }).shape,
  /** The resulting statement. */
  statement_id: id.nullable(),
});
export type ReserveProposal = z.output<typeof reserveProposal>;

const decisions = decisionsOf({
  path: '/operator/reserves',
  access: financeRoles,
  what: 'a statement of reserves',
  many: 'statements of reserves',
  effect: 'every member reads it',
  data: reserveProposal,
  refusals: [],
});

/** Publishing takes two operators. The server checks the signature before it accepts a proposal. */
export const consoleReserves = {
  listReserveProposals: decisions.list,
  proposeReserve: decisions.propose({
    summary: 'Propose a signed statement of reserves; it is published when a second operator approves it',
    body: z.strictObject({ ...fields, reason: why, otp: operatorCode }),
    refusals: ['reserve_address', 'reserve_network', 'reserve_signature', 'reserve_undated', ...secondFactorRefusals],
  }),
  approveReserve: decisions.approve,
  rejectReserve: decisions.reject,
  withdrawReserve: decisions.withdraw,
};
