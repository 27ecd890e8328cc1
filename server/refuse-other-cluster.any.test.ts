import { expect, test } from 'vitest';
import { sealAudit, writeAudit } from '#server/audit/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootTest } from '#test/kit/boot.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { tamper } from '#test/worlds/tamper.ts';
import { prepare } from './boot.ts';
import { BadConfig } from './config.ts';
import { inTransaction } from './db/tx.ts';
import { sealLedger } from './ledger/index.ts';

const { database, context } = closeAfterAll(await bootTest());
const { memberId } = await signUp(context);
await giveFunds(context, memberId, 1_000_000n);
await inTransaction(context.db, (tx) =>
  writeAudit(tx, { actor: { kind: 'system', id: null }, action: 'test', subject: 'test' }),
);
await sealLedger(context);
await sealAudit(context);

test.each(['ledger', 'audit'])(
  'nothing starts on a database restored into a cluster with lower transaction numbers than its %s has',
  async (chain) => {
    await prepare(context);
    await tamper(database, `update ${chain}.seal set horizon = horizon + 1000000000`);
    await expect(prepare(context)).rejects.toThrow(BadConfig);
    await expect(prepare(context)).rejects.toThrow('Raise its number first');
    await tamper(database, `update ${chain}.seal set horizon = horizon - 1000000000`);
  },
);
