import type { BodyOf, DataOf } from '#contract/endpoint.ts';
import type { Proposal } from '#contract/operator/proposals.ts';
import { reserveFault } from '#contract/solvency/reserve-signature.ts';
import {
  consoleReserves,
  type ReserveNetwork,
  type ReserveProposal,
  type ReserveStatement,
  type reserves,
} from '#contract/solvency/reserves.ts';
import { operators } from '#server/accounts/index.ts';
import {
  decide,
  type ListedKind,
  type OperatorActor,
  plainKind,
  propose,
  showProposal,
} from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { getValue, listRows } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';

export type SignedReserve = {
  readonly network: ReserveNetwork;
  readonly address: string;
  /** In units of the asset, as typed. */
  readonly amount: string;
  readonly asset: string;
  readonly message: string;
  readonly signature: string;
  /** The day stated in the message. */
  readonly signedOn: string;
};
type Shown = Omit<ReserveProposal, keyof Proposal>;
type ProposeReserve = typeof consoleReserves.proposeReserve;

/** A statement of reserves (docs/solvency.md), published as proposed: its signature is verified on proposal. */
export const reserveKind: ListedKind<SignedReserve, Shown> = {
  ...plainKind('reserve'),
  subject: 'reserve_proposal',
  roles: consoleReserves.approveReserve.access,
  operators,
  execute: async (tx, context, { payload }) => {
    const id = await publishReserve(tx, context, payload);
    return { resultId: id, logged: { statementId: id } };
  },
  show: async (_db, proposals) =>
    proposals.map(({ payload: { signedOn, ...payload }, resultId }) => ({
      ...payload,
      signed_on: signedOn,
      statement_id: resultId?.toString() ?? null,
    })),
};

/**
 * Proposes a statement of what an address of the company holds, signed with its key. It is published when another
 * operator approves it.
 *
 * Refuses `reserve_network` for a test network in live mode, `reserve_undated` for a message without a day or with a
 * future one, `reserve_address` and `reserve_signature` if invalid, and whatever `decide` refuses.
 */
export function proposeReserve(
  context: Context,
  actor: OperatorActor,
  { reason, otp, ...statement }: BodyOf<ProposeReserve>,
): Promise<DataOf<ProposeReserve>> {
  const payload = { ...statement, signedOn: readDay(statement.message, context.now()) };
  return decide(context, actor, {
    operators,
    roles: consoleReserves.proposeReserve.access,
    otp,
    precheck: async () => refuseUnlessSigned(context, payload),
    lock: async () => undefined,
    execute: (tx) => writeReserveProposal(tx, context, actor, payload, reason),
  });
}

/** Writes the proposal of a verified statement, in the caller's transaction. */
export async function writeReserveProposal(
  tx: Tx,
  context: Context,
  actor: OperatorActor,
  payload: SignedReserve,
  reason: string,
): Promise<ReserveProposal> {
  return showProposal(tx, reserveKind, await propose(tx, context, reserveKind, actor, { payload, reason }));
}

function refuseUnlessSigned({ config }: Context, statement: SignedReserve): void {
  if (config.mode === 'live' && statement.network === 'bitcoin_testnet') throw new Refused('reserve_network');
  const fault = reserveFault(statement);
  if (fault !== undefined) throw new Refused(fault === 'address' ? 'reserve_address' : 'reserve_signature');
}

/** The first day in the message, as `2026-03-04`. */
function readDay(message: string, now: Date): string {
  const [day] = /\b\d{4}-\d{2}-\d{2}\b/.exec(message) ?? [];
  const at = new Date(day ?? '');
  if (day === undefined || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day || at > now)
    throw new Refused('reserve_undated');
  return day;
}

/**
 * The statement signed last for each address and asset, whenever it was approved; one of zero withdraws earlier ones.
 */
export async function listReserves({ db }: Context): Promise<DataOf<typeof reserves.listReserves>> {
  return { items: (await listStatements(db)).map(showStatement) };
}

type Row = SignedReserve & { readonly id: bigint; readonly publishedAt: Date; readonly simulated: boolean };

const showStatement = ({ id, signedOn, publishedAt, ...row }: Row): ReserveStatement => ({
  ...row,
  id: id.toString(),
  signed_on: signedOn,
  published_at: publishedAt.toISOString(),
});

/** Publishes a statement in the caller's transaction. Returns its id. */
export const publishReserve = (tx: Tx, { config, now }: Context, s: SignedReserve): Promise<bigint> =>
  getValue(tx)<bigint>`
    insert into solvency.reserve_statement (network, address, asset, amount, message, signature, signed_on, published_at, simulated)
    values (${s.network}, ${s.address}, ${s.asset}, ${s.amount}, ${s.message}, ${s.signature}, ${s.signedOn}::date, ${now()},
      ${config.mode === 'paper'})
    returning id`;

/** Compares addresses ignoring case: where case matters, two variants cannot both have a valid checksum. */
const listStatements = (db: Db): Promise<Row[]> =>
  listRows(db)`
    select id, network, address, asset, amount, message, signature, signed_on::text as "signedOn",
      published_at as "publishedAt", simulated
    from (
      select distinct on (network, lower(address), asset) * from solvency.reserve_statement
      order by network, lower(address), asset, signed_on desc, id desc) as latest
    where amount::numeric > 0 order by id desc`;
