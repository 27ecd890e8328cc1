import { sql } from 'kysely';
import { type ExportSection, inDollars } from '#server/db/export-sql.ts';
import { shownTransaction } from './withdrawals/withdrawal.ts';

/** A member's deposits, payout addresses, and withdrawals with their steps. */
export const exportFunds = (memberId: bigint): readonly ExportSection[] => [
  {
    name: 'deposits',
    place: 'bigint',
    rows: sql`
      select id as place, reference, ${inDollars(sql`amount_micros`)} as amount, state, ${inDollars(sql`booked_micros`)} as booked,
        ${inDollars(sql`paid_micros`)} as paid, ${inDollars(sql`credited_micros`)} as credited, ${inDollars(sql`refunded_micros`)} as refunded, gateway,
        pay_with, invoice_id, payment_id, note, expires_at, created_at, updated_at
      from funds.deposit where member_id = ${memberId}`,
  },
  {
    name: 'risk_acceptance',
    place: 'bigint',
    rows: sql`select member_id as place, accepted_at from funds.risk_acceptance where member_id = ${memberId}`,
  },
  {
    name: 'payout_addresses',
    place: 'bigint',
    rows: sql`
      select id as place, network, address, saved_at, replaced_at from funds.payout_address where member_id = ${memberId}`,
  },
  {
    name: 'withdrawals',
    place: 'bigint',
    rows: sql`
      select id as place, id, reference, wallet, ${inDollars(sql`amount_micros`)} as amount, ${inDollars(sql`fee_micros`)} as fee, network,
        address, state, ${shownTransaction} as transaction, note, created_at, updated_at
      from funds.withdrawal where member_id = ${memberId}`,
  },
  {
    name: 'withdrawal_steps',
    place: 'bigint',
    rows: sql`
      select s.id as place, s.withdrawal_id, s.state, s.note, s.occurred_at
      from funds.withdrawal_step s join funds.withdrawal w on w.id = s.withdrawal_id where w.member_id = ${memberId}`,
  },
  {
    name: 'withdrawals_stopped',
    place: 'bigint',
    rows: sql`
      select member_id as place, cause, frozen_at from funds.withdrawal_freeze where member_id = ${memberId}`,
  },
];
