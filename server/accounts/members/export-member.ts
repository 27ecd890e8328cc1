import { exportOwnActions, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { type ExportSection, readSection } from '#server/db/export-sql.ts';
import { inTransaction } from '#server/db/tx.ts';
import { exportLedger } from '#server/ledger/index.ts';
import { exportMessages } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { freshSignInSeconds } from '../core/session-life.ts';
import { findWait } from '../sign-in/attempts.ts';
import { findSignedInAt } from '../sign-in/auth-session-sql.ts';
import type { MemberCaller } from '../sign-in/find-caller.ts';
import { exportAccount } from './export-sql.ts';
import { getMember } from './members.ts';

/** What a later domain holds on a member; app.ts brings them. */
export type MemberSections = (memberId: bigint) => readonly ExportSection[];

/**
 * Everything held on a member as one JSON file, made while it is read (docs/member-data.md). Only by a fresh sign-in: whoever
 * finds an open browser is not to carry all of it away. Refusals: `fresh_sign_in_required`, `too_many_exports`.
 */
export async function exportMember(
  context: Context,
  { memberId, authSessionId }: MemberCaller,
  { address, later }: { readonly address: string; readonly later: MemberSections },
): Promise<{ readonly name: string; readonly text: AsyncIterable<string> }> {
  const { db, config } = context;
  const now = context.now();
  const signedInAt = await findSignedInAt(db, authSessionId);
  if (signedInAt === undefined) throw new Refused('session_required');
  if (now.getTime() - signedInAt.getTime() > freshSignInSeconds * 1000) throw new Refused('fresh_sign_in_required');
  const wait = await findWait(db, 'data_export', memberId.toString(), now);
  if (wait !== undefined) throw new Refused('too_many_exports', { retryAfterSeconds: wait });
  const { referralCode } = await getMember(db, memberId);
  await inTransaction(db, (tx) =>
    writeAudit(tx, {
      actor: { kind: 'member', id: memberId },
      action: 'member.export_data',
      subject: `member:${memberId}`,
      address,
    }),
  );
  const sections = [
    ...exportAccount(memberId),
    ...exportMessages(memberId),
    ...exportLedger(memberId),
    ...later(memberId),
    exportOwnActions(memberId),
  ];
  const day = now.toISOString().slice(0, 10);
  const name = `${config.brandName.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${referralCode}-${day}.json`;
  return { name, text: writeSections(db, sections, { made_at: now.toISOString(), registered_id: referralCode }) };
}

/** `{"made_at":…,"account":[…],"devices":[…],…}`, a page of rows at a time. */
async function* writeSections(
  db: Db,
  sections: readonly ExportSection[],
  head: Readonly<Record<string, string>>,
): AsyncGenerator<string> {
  yield JSON.stringify(head, null, 1).replace(/\n\}$/, '');
  for (const section of sections) {
    yield `,\n "${section.name}": [`;
    let isFirst = true;
    for await (const rows of readSection(db, section)) {
      yield rows.map((row, index) => `${isFirst && index === 0 ? '' : ','}\n  ${toJson(row)}`).join('');
      isFirst &&= rows.length === 0;
    }
    yield isFirst ? ']' : '\n ]';
  }
  yield '\n}\n';
}

/** Ids are bigint, which JSON does not know: they become decimal text, as in every reply. */
const toJson = (row: object): string =>
  JSON.stringify(row, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
