import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import type { Context } from '#server/context.ts';
import { listLines } from './list-lines.ts';

type ListTeamProfit = typeof income.listTeamProfit;

/** The specification's own address of the lines of team profit. */
export const listTeamProfit = (
  context: Context,
  memberId: bigint,
  query: QueryOf<ListTeamProfit>,
): Promise<DataOf<ListTeamProfit>> => listLines(context, memberId, 'team-profit', query);
