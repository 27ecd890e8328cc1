import type { Notice } from './notice.ts';

/** What a member hears when their withdrawals are stopped, by their own button or by an operator. */
export const withdrawalsFrozenNotice = (supportEmail: string): Notice => ({
  kind: 'withdrawals_frozen',
  message: 'Withdrawals of your account were stopped. Please write to support.',
  mail: {
    subject: 'Withdrawals of your account were stopped',
    text: `Withdrawals of your account were stopped: nothing is paid out, and what was asked for waits. Everything else goes on as always.\n\nPlease write to ${supportEmail}.\n`,
  },
});

/** What a member hears when an operator lets them go on. */
export const withdrawalsReleasedNotice = (): Notice => ({
  kind: 'withdrawals_released',
  message: 'Withdrawals of your account are possible again.',
  mail: {
    subject: 'Withdrawals of your account are possible again',
    text: 'Withdrawals of your account are possible again.\n\nIf you did not ask for this, please write to support.\n',
  },
});
