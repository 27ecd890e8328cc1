import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type {
  consoleGatewayStatement,
  GatewayFinding,
  GatewayStatement,
} from '#contract/operator/gateway-statement.ts';
import { findOperator } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { type Finding, listFindings, listFindingsOf, listStatements, sumGatewayFindings } from './entry-sql.ts';
import { lists } from './import-entries.ts';

export async function getGatewayStatement(
  { db }: Pick<Context, 'db'>,
  gateways: readonly Gateway[],
): Promise<GatewayStatement> {
  const names = gateways.filter(lists).map(({ name }) => name);
  const statements = await listStatements(db, names);
  return {
    gateways: statements.map(({ gateway, from, to, entries, askedAt, fault, faultAt }) => ({
      gateway,
      covered_from: from?.toISOString() ?? null,
      covered_to: to?.toISOString() ?? null,
      entries: Number(entries),
      asked: askedAt !== null && (to === null || askedAt > to),
      fault,
      fault_at: faultAt?.toISOString() ?? null,
    })),
    open: Number((await sumGatewayFindings(db)).count),
  };
}

type ListGatewayFindings = typeof consoleGatewayStatement.listGatewayFindings;

/** Findings in a state, or one. */
export async function listGatewayFindings(
  { db }: Pick<Context, 'db'>,
  { state, id, cursor, limit }: QueryOf<ListGatewayFindings>,
): Promise<DataOf<ListGatewayFindings>> {
  const found =
    id === undefined
      ? await listFindings(db, { state, after: readIdCursor(cursor), limit: limit + 1 })
      : await listFindingsOf(db, BigInt(id));
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await Promise.all(rows.map((row) => showFinding({ db }, row))), next_cursor: nextCursor };
}

async function showFinding(
  { db }: Pick<Context, 'db'>,
  { about, explainedBy, ...finding }: Finding,
): Promise<GatewayFinding> {
  const slash = about.indexOf('/');
  return {
    id: finding.id.toString(),
    gateway: finding.gateway,
    kind: finding.kind,
    state: finding.state,
    about: about.slice(0, slash) as GatewayFinding['about'],
    about_id: about.slice(slash + 1),
    at: finding.at.toISOString(),
    asset: finding.asset,
    listed: finding.listed,
    booked: finding.booked,
    reference: finding.reference,
    found_at: finding.foundAt.toISOString(),
    closed_at: finding.closedAt?.toISOString() ?? null,
    explanation: finding.explanation,
    operator: explainedBy === null ? null : ((await findOperator(db, explainedBy))?.name ?? null),
  };
}
