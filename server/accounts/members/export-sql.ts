import { sql } from 'kysely';
import { type ExportSection, inDollars } from '#server/db/export-sql.ts';

/** The account, how it is protected and who was signed in: times and places, never what opens it. */
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
