/**
 * Every refusal the product knows: its HTTP status and the sentence a person reads. The code is stable and for
 * programs. A refusal is an expected answer; a broken invariant is an assert and no code (style.md, Errors).
 */
export const refusals = {
  // any call
  unreadable_body: [400, 'The request could not be read.'],
  session_required: [401, 'Please sign in.'],
  not_allowed: [403, 'This is not allowed for your account.'],
  not_found: [404, 'This does not exist.'],
  body_too_large: [413, 'The request is too large.'],
  not_json: [415, 'Send JSON.'],
  validation: [422, 'Please check what you entered.'],
  too_many_requests: [429, 'Too many tries. Please wait a moment.'],
  not_ready: [503, 'Not ready. Please try again in a moment.'],
  internal: [500, 'Something went wrong on our side. Nothing was changed by this request.'],
  // idempotency
  idempotency_mismatch: [422, 'This key was already used for another request.'],
  idempotency_running: [409, 'The first request with this key is still running.'],
  // ledger
  insufficient_funds: [422, 'Insufficient balance.'],
  // identity
  wrong_login: [422, 'Registered Id or password is wrong.'],
  unknown_invitation: [404, 'Invalid Invitation Id.'],
  invitation_refused: [422, 'Invalid Invitation Id.'],
  country_blocked: [403, 'Registration is not open for this dial code.'],
  weak_password: [422, 'This password is too common. Choose another one.'],
  wrong_password: [422, 'Your current password is wrong.'],
  wrong_otp: [422, 'This code is wrong or has expired.'],
  wrong_reset_token: [422, 'This reset has expired. Please ask for a new code.'],
  account_frozen: [403, 'Your account is frozen. Please write to support.'],
  own_deposit_limit: [422, 'This is more than your own limit for deposits a week leaves. Your profile shows it.'],
  pause_shortened: [422, 'A pause can be made longer, never shorter.'],
  own_pause: [403, 'You paused trading and deposits. Your profile shows until when.'],
  own_loss_limit: [422, 'Your own loss limit of this market day is reached.'],
  // market
  asset_not_found: [404, 'This asset does not exist.'],
  // trading
  trade_not_selected: [422, 'Please select a trade.'],
  trade_under_primary_minimum: [422, 'Min amount for trade is 5$.'],
  trade_under_profit_minimum: [422, 'Min amount for trade is 1$.'],
  trade_not_found: [404, 'This trade does not exist.'],
  trade_not_queued: [409, 'This trade is no longer queued.'],
  trade_not_open: [409, 'This trade is not open.'],
  replay_ended: [409, 'Replay ended. No session follows.'],
  backtest_no_prices: [422, 'There are no prices of whole sessions in this period.'],
  backtest_under_minimum: [
    422,
    'The part of each asset is under the minimum of a trade. Choose a larger amount or fewer assets.',
  ],
  backtest_running: [409, 'Your last backtest is still running.'],
  plan_not_found: [404, 'This plan does not exist.'],
  plan_in_session: [409, 'A session is under way. Plans can be changed again when it is settled.'],
  plan_redeemed: [409, 'This plan was redeemed.'],
  plan_not_active: [409, 'This plan is not active.'],
  plan_not_paused: [409, 'This plan is not paused.'],
  plan_under_minimum: [422, 'What is left in this plan is under the minimum. It can only be redeemed.'],
  fee_plan_over_100: [422, 'The shares of a fee come to more than 100 %.'],
  fee_plan_ranks: [422, 'Each rank takes more volume than the one before.'],
  // team and income
  team_list_too_long: [
    422,
    'A list of this length is ordered by joining only. Search for somebody, or choose another level.',
  ],
  no_shared_session: [409, 'No session was shared yet.'],
  reward_not_claimable: [409, 'This reward cannot be claimed.'],
  period_turned: [422, 'The period ends before it begins.'],
  // funds
  deposit_not_found: [404, 'This deposit does not exist.'],
  deposit_out_of_limits: [422, 'A deposit is from 10$ to 50000$.'],
  risk_not_accepted: [422, 'Please read and accept the risk disclosure first.'],
  gateway_unavailable: [503, 'The payment gateway does not answer. Please try again in a moment.'],
  bad_signature: [401, 'The signature is wrong.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RefusalCode = keyof typeof refusals;

/** Refusals that belong to one field of the form, so that clients can show them there. */
export const refusalField: Partial<Record<RefusalCode, string>> = {
  insufficient_funds: 'amount',
  unknown_invitation: 'referralCode',
  invitation_refused: 'referralCode',
  country_blocked: 'mobile_number',
  weak_password: 'password',
  wrong_password: 'current_password',
  wrong_otp: 'otp',
  trade_not_selected: 'tradeId',
  trade_under_primary_minimum: 'amount',
  trade_under_profit_minimum: 'amount',
  backtest_no_prices: 'from',
  backtest_under_minimum: 'amount',
  fee_plan_over_100: 'terms',
  fee_plan_ranks: 'terms',
  team_list_too_long: 'sort',
  period_turned: 'to',
  deposit_out_of_limits: 'amount',
  risk_not_accepted: 'risk_accepted',
  own_deposit_limit: 'amount',
  pause_shortened: 'pause_days',
};
