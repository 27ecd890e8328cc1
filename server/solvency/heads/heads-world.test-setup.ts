import { expect } from 'vitest';
import type { PublishedHeads } from '#contract/solvency/heads.ts';
import { sealAudit, verifyAudit, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { sealLedger, verifyLedger } from '#server/ledger/index.ts';
import { insertStatement, makeStatement, PrivateKey, type SealKey } from '#server/signing/index.ts';
import { unguarded } from '#test/audit-walk/cuts.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { takeDailySnapshot } from '../take-snapshot.ts';
import { verifySavedHeads, verifySignatures } from './verify-signatures.ts';

const NOTHING = { ledger: 0n, audit: 0n, liabilities: 0n };

/** A key that is announced, as at the first start. */
export async function announceKey({ db, now }: Context, last = NOTHING): Promise<SealKey> {
  const key = PrivateKey.make();
  const statement = makeStatement(key, last, now());
  await inTransaction(db, (tx) => insertStatement(tx, statement));
  return { key, statements: [statement] };
}

/** Anna, who has 100 $, in an installation whose seals are signed. */
export async function openSealedWorld(env: Record<string, string> = {}) {
  const { context: booted, database, clock } = await bootWithoutMarket('2026-03-04T09:00:00Z', env);
  const anna = await signUp(booted, { name: 'Anna' });
  await giveFunds(booted, anna.memberId, 100_000_000n);
  const sealKey = await announceKey(booted);
  const context: Context = { ...booted, sealKey };
  const sealAll = async () => {
    await sealLedger(context);
    await sealAudit(context);
    await takeDailySnapshot(context);
  };
  const note = (subject: string) =>
    inTransaction(context.db, (tx) =>
      writeAudit(tx, { actor: { kind: 'system', id: null }, action: 'test.note', subject }),
    );
  await sealAll();
  /** Discrepancies that are found without externally saved heads. */
  const verify = async () => [
    ...(await verifyLedger(context.db)),
    ...(await verifyAudit(context.db)),
    ...(await verifySignatures(context.db, sealKey.statements)),
  ];
  const compare = (...kept: PublishedHeads[]) => verifySavedHeads(context.db, sealKey.statements, kept);
  /** Executes as the database's owner, who can disable its triggers. */
  const asOwner = (tables: readonly string[], statements: string) => database.runScript(unguarded(tables, statements));
  expect(await verify()).toEqual([]);
  return { context, database, clock, anna, sealKey, sealAll, note, verify, compare, asOwner };
}
