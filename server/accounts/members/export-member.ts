import { sql } from 'kysely';
import { exportOwnActions } from '#server/audit/index.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { type ExportSection, inDollars, readSection } from '#server/db/export-sql.ts';
import { inTransaction } from '#server/db/tx.ts';
import { exportLedger } from '#server/ledger/index.ts';
import { exportMessages } from '#server/notify/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { freshSignInSeconds } from '../core/session-life.ts';
import { auditOwn } from '../owner.ts';
import { findWait } from '../sign-in/attempts.ts';
import { findSignedInAt } from '../sign-in/auth-session-sql.ts';
import { getMember } from './members.ts';

/** Data that later domains have about a member; app.ts passes them. */
export type MemberSections = (memberId: bigint) => readonly ExportSection[];

/**
 * All data about a member as one streamed JSON file (docs/security.md, "Personal data"). Requires a recent sign-in, so
 * that an unattended browser is not enough.
 *
 * Refuses `fresh_sign_in_required`, `too_many_exports`.
 */
export async function exportMember(
  context: Context,
  { memberId, authSessionId }: MemberCaller,
  { address, later }: { readonly address: string; readonly later: MemberSections },
): Promise<{ readonly name: string; readonly text: AsyncIterable<string> }> {
  const { db, config } = context;
  const now = context.now();
  const signedInAt = orRefuse(await findSignedInAt(db, authSessionId), 'session_required');
  if (now.getTime() - signedInAt.getTime() > freshSignInSeconds * 1000) throw new Refused('fresh_sign_in_required');
  const wait = await findWait(db, 'data_export', memberId.toString(), now);
  if (wait !== undefined) throw new Refused('too_many_exports', { retryAfterSeconds: wait });
  const { referralCode } = await getMember(db, memberId);
  await inTransaction(db, (tx) => auditOwn(tx, { memberId }, 'member.export_data', { address }));
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

/** Ids are bigint, which JSON lacks: they become decimal strings, as in every reply. */
const toJson = (row: object): string =>
  JSON.stringify(row, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));

/** The account, its protection and its sign-ins: times and places, never credentials. */
export const exportAccount = (memberId: bigint): readonly ExportSection[] => [
  {
    name: 'account',
    place: 'bigint',
    rows: sql`
      select m.id as place, m.referral_code as registered_id, m.name, m.email, m.mobile_number,
        sponsor.referral_code as sponsor_registered_id, left(sponsor.name, 1) || '***' as sponsor_name,
        m.created_at, m.terms_accepted_at, m.email_verified_at, m.verified_at, m.frozen_at, m.password_changed_at,
        m.security_changed_at
      from identity.member m left join identity.member sponsor on sponsor.id = m.sponsor_id where m.id = ${memberId}`,
  },
  {
    name: 'second_factor',
    place: 'bigint',
    rows: sql`
      select t.id as place, t.created_at, t.confirmed_at,
        (select count(*)::int from identity.recovery_code r where r.member_id = t.member_id) as recovery_codes_left
      from identity.totp t where t.member_id = ${memberId}`,
  },
  {
    name: 'passkeys',
    place: 'bigint',
    rows: sql`
      select id as place, name, is_synced as synced, created_at, last_used_at
      from identity.passkey where member_id = ${memberId}`,
  },
  {
    name: 'former_emails',
    place: 'text',
    rows: sql`
      select email as place, email, changed_at from identity.former_email where member_id = ${memberId}`,
  },
  {
    name: 'email_requests',
    place: 'bigint',
    rows: sql`
      select id as place, email, requested_at, ended_at, outcome from identity.email_request where member_id = ${memberId}`,
  },
  {
    name: 'devices',
    place: 'text',
    rows: sql`
      select device as place, device, first_seen_at from identity.known_device where member_id = ${memberId}`,
  },
  {
    name: 'sign_ins',
    place: 'bigint',
    rows: sql`
      select id as place, device, address, created_at, last_used_at, expires_at
      from identity.auth_session where member_id = ${memberId} and opening_id is null`,
  },
  {
    name: 'opened_by_support',
    place: 'bigint',
    rows: sql`
      select o.id as place, operator.name as operator_name, o.reason, o.opened_at, o.expires_at, o.ended_at
      from identity.opening o join identity.operator operator on operator.id = o.operator_id
      where o.member_id = ${memberId}`,
  },
  {
    name: 'own_limits',
    place: 'bigint',
    rows: sql`
      select member_id as place, ${inDollars(sql`deposit_week_micros`)} as deposit_week,
        ${inDollars(sql`deposit_week_next_micros`)} as deposit_week_next, deposit_week_next_at,
        ${inDollars(sql`loss_day_micros`)} as loss_day, ${inDollars(sql`loss_day_next_micros`)} as loss_day_next,
        loss_day_next_at, paused_until
      from identity.own_limit where member_id = ${memberId}`,
  },
];
