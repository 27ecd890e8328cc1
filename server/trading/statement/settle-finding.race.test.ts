import { expect, test } from 'vitest';
import { approveProposal } from '#server/approvals/index.ts';
import { execute } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { moveCoins } from '#test/fake-servers/exchange-orders.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openExchangeWorld } from '#test/worlds/exchange-world.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { type Finding, listFindingRows } from './finding-sql.ts';
import { importStatement } from './import-statement.ts';
import { proposeSettlement, statementKind } from './settle-finding.ts';
import { lockStatement } from './statement-sql.ts';

const world = closeAfterAll(
  await openExchangeWorld({ exchange: 'kraken', candle: () => still('50000'), dollars: 20_000 }),
);
const { context, node, clock } = world;
const { db } = context;
const [finance, second] = [await makeOperator(context, 'finance'), await makeOperator(context, 'finance')];

async function findFee(): Promise<Finding> {
  moveCoins(node.account, { kind: 'other', coin: 'USD', amount: '-3', at: clock.now().getTime() });
  clock.advance(60);
  await importStatement(context, world.venue);
  return (await listFindingRows(db, { state: 'open', after: undefined, limit: 1 }))[0] as Finding;
}

const propose = ({ id }: Finding) =>
  proposeSettlement(context, actorOf(finance), { finding_id: id.toString(), how: 'booked', reason: 'A fee.' });
const prepare = {
  proposing: async (finding: Finding) => () => propose(finding),
  approving: async (finding: Finding) => {
    const approval = { id: BigInt((await propose(finding)).id), version: 1, otp: await second.code() };
    return () => approveProposal(context, statementKind, actorOf(second), approval);
  },
};

test.each(['proposing', 'approving'] as const)(
  '%s waits for an import, and is refused for what it matched',
  async (what) => {
    const finding = await findFee();
    const act = await prepare[what](finding);
    let acting = Promise.resolve('');
    await inTransaction(db, async (tx) => {
      await lockStatement(tx);
      let isOver = false;
      acting = codeOf(act()).finally(() => {
        isOver = true;
      });
      await expect.poll(async () => isOver || (await countLockWaits(db)) > 0).toBe(true);
      await execute(
        tx,
      )`update trading.statement_finding set state = 'matched', closed_at = ${clock.now()} where id = ${finding.id}`;
    });
    expect(await acting).toBe('statement_settled');
  },
);
