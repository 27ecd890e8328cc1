import type { MemberPage } from '#contract/operator/members.ts';
import type { DecisionWords } from '../kit/use-decisions.tsx';

/** What an operator can do to an account. */
export type MemberAction = 'freeze' | 'unfreeze' | 'verify' | 'unverify' | 'stop' | 'go_on' | 'open';

const reason = { label: 'Reason', hint: 'It stands in the audit log.' };

export function actionWords(action: MemberAction, { name }: MemberPage['member']): DecisionWords {
  switch (action) {
    case 'freeze':
      return {
        button: 'Freeze',
        title: `Freeze ${name}`,
        text: 'Nothing can be traded, put in or taken out until it is let go on. Open trades settle as always.',
        confirm: 'Freeze',
        busy: 'Freezing',
        danger: true,
        reason,
        done: 'Account frozen',
      };
    case 'unfreeze':
      return {
        button: 'Let go on',
        title: `Let ${name} go on`,
        text: 'The account works as before.',
        confirm: 'Let go on',
        busy: 'Saving',
        reason,
        otp: true,
        done: 'Account goes on',
      };
    case 'verify':
      return {
        button: 'Verify',
        title: `Verify ${name}`,
        text: 'You have seen who this is. In live mode money goes out to verified members only.',
        confirm: 'Verify',
        busy: 'Saving',
        reason,
        done: 'Verified',
      };
    case 'unverify':
      return {
        button: 'Take back',
        title: `Take the verification of ${name} back`,
        text: 'In live mode no money goes out to this member any more.',
        confirm: 'Take it back',
        busy: 'Saving',
        danger: true,
        reason,
        done: 'Verification taken back',
      };
    case 'stop':
      return {
        button: 'Stop',
        title: `Stop the withdrawals of ${name}`,
        text: 'Nothing of this member is approved or paid, and nothing new can be asked for. All else goes on.',
        confirm: 'Stop withdrawals',
        busy: 'Stopping',
        danger: true,
        reason,
        done: 'Withdrawals stopped',
      };
    case 'go_on':
      return {
        button: 'Let go on',
        title: `Let the withdrawals of ${name} go on`,
        text: 'Only when it is sure that the member is the one who asks.',
        confirm: 'Let them go on',
        busy: 'Saving',
        reason,
        otp: true,
        done: 'Withdrawals go on',
      };
    case 'open':
      return {
        button: 'Open the account',
        title: `Open the account of ${name}`,
        text: 'You see what the member sees, for 30 minutes, and can change nothing. The member is told who, when and why.',
        confirm: 'Open',
        busy: 'Opening',
        reason: { label: 'Reason', hint: 'The member reads it.' },
        done: 'Account opened',
      };
  }
}
