/**
 * Every table with member data: what closing the account does to its rows, and in which sections of the member's export
 * (`GET profile/export`) they appear, or why in none (docs/security.md, "Personal data"). member-data.db.test.ts
 * compares it with the database and with the export's queries.
 */
export const memberTables = {
  /** Closing blanks the personal data in them. */
  blanked: {
    'identity.member': ['account'],
    'identity.email_request': ['email_requests'],
    'notify.mail': ['emails'], // without texts
  },
  /** Closing deletes the rows. */
  deleted: {
    'identity.totp': ['second_factor'], // without the secret
    'identity.recovery_code': ['second_factor'], // their number
    'identity.passkey': ['passkeys'], // without the key
    'identity.former_email': ['former_emails'],
    'identity.known_device': ['devices'],
    'identity.auth_session': ['sign_ins'],
    'identity.own_limit': ['own_limits'],
    'notify.recipient': ['recipient'],
    'notify.notification': ['notifications'],
    'notify.mail_preference': ['mail_preferences'],
    'notify.announcement_dismissal': ['announcements_dismissed'],
    'funds.payout_address': ['payout_addresses'],
  },
  /** Closing keeps the rows. */
  kept: {
    'identity.opening': ['opened_by_support'],
    'audit.entry': ['actions'],
    'ledger.account': ['accounts', 'movements'],
    'trading.trade': ['trades'],
    'trading.plan': ['plans', 'plan_events'],
    'trading.daily_result': ['results_by_session'],
    'trading.lifetime_result': ['results_in_all'],
    'trading.equity': ['net_worth_by_session'],
    'income.bonus_line': ['bonuses'],
    'income.weekly_line': ['weekly_incomes'],
    'income.monthly_line': ['monthly_incomes'],
    'income.reward': ['rewards'],
    'income.growth': ['team_by_week'],
    'funds.deposit': ['deposits'],
    'funds.risk_acceptance': ['risk_acceptance'],
    'funds.withdrawal': ['withdrawals', 'withdrawal_steps'],
    'funds.withdrawal_freeze': ['withdrawals_stopped'],
    'support.ticket': ['tickets', 'ticket_messages', 'ticket_attachments'],
  },
  /** Not exported, with the reason. */
  notExported: {
    'hashes that live minutes or days': [
      'identity.stop_link',
      'identity.otp',
      'identity.reset_token',
      'identity.sign_in_challenge',
      'identity.passkey_challenge',
    ],
    'hashes of device tokens': ['identity.device_token'],
    'replies kept 7 days': ['http.idempotency'],
    'data of other members': ['team.node', 'team.level_count', 'team.search_word', 'income.month_leg', 'solvency.node'],
    'derived or working tables': [
      'trading.session',
      'income.level_sum',
      'income.standing',
      'income.contribution',
      'income.closed_member',
      'funds.withdrawal_day',
      'approvals.proposal',
    ],
    'of operators alone': ['operator.member_reading'],
  },
} as const;
