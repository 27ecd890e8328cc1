import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EmailChange } from '#contract/operator/email-changes.ts';
import type { FoundMember, MemberPage } from '#contract/operator/members.ts';
import {
  aLoosening,
  anAdjustment,
  confirmWith,
  openForm,
  proposed,
  showConsolePage,
  signInAs,
} from '../../../../test/console.ts';
import { addressNow } from '../../../../test/render.tsx';
import { type Answers, refused, success } from '../../../../test/server.ts';
import { MembersPage } from './members-page.tsx';

const FIND = 'GET /operator/members';

const lena: FoundMember = {
  id: '41',
  referral_code: 'TWB8Q7YD4E',
  name: 'Lena Hoffmann',
  email: 'l•••@m•••.test',
  mobile_number: '••••••3210',
  created_at: '2026-01-02T10:00:00.000Z',
  frozen: false,
  closed: false,
  verified: true,
  withdrawals_frozen: false,
  found_by: null,
};

const aPage = (given: Partial<MemberPage['member']> = {}): MemberPage => ({
  member: {
    id: '41',
    referral_code: 'TWB8Q7YD4E',
    name: 'Lena Hoffmann',
    email: 'lena@mail.test',
    mobile_number: '+919876543210',
    created_at: '2026-01-02T10:00:00.000Z',
    frozen_at: null,
    closed_at: null,
    verified_at: null,
    withdrawals_frozen: null,
    security: {
      second_factor: true,
      app: true,
      passkeys: 0,
      recovery_codes_left: 10,
      email_verified: true,
      password_changed_at: null,
      email_request: null,
      second_factor_ends_at: null,
    },
    ...given,
  },
  loosenings: [],
  sponsors: [
    { id: '7', referral_code: 'TW7K3QMX9D', name: 'Anika Rao', company: false },
    { id: '1', referral_code: 'TRADEWIND', name: 'Tradewind', company: true },
  ],
  team: { levels: [3, 4, 0, 0, 0, 0, 0, 0, 0, 0], total: 7 },
  balances: { primary: 500, profit: 20.5, trade_escrow: 100, investment: 0, withdrawal_hold: 60 },
  summary: {
    deposited: 1_000,
    withdrawn: 300,
    in_trades: 100,
    invested: 0,
    on_hold: 60,
    traded_volume: 5_000,
    realised: -41.25,
    fees_paid: 21.5,
    income: 0,
    net_worth: 681.75,
  },
  limits: { deposit_week: { amount: 200, next: null }, loss_day: { amount: null, next: null }, paused_until: null },
  address: null,
  movements: [],
  trades: [],
  plans: [],
  deposits: [],
  withdrawals: [],
  tickets: [],
  sign_ins: [],
  audit: [],
});

function open(at: string, answers: Answers = {}) {
  return showConsolePage(MembersPage, at, {
    [FIND]: success({ items: [lena], next_cursor: null, more: false }),
    'GET /operator/members/41': success(aPage()),
    'GET /operator/members/41/movements': success({ items: [], next_cursor: null }),
    ...answers,
  });
}

beforeEach(() => signInAs({ role: 'support' }));

describe('the search', () => {
  test('requests what the address names, shows how each member was found, and links to their page', async () => {
    const { sentTo } = open('/operator/members?search=WD-93KX7A', {
      [FIND]: success({ items: [{ ...lena, found_by: 'reference' }], next_cursor: null, more: false }),
    });
    const row = (await screen.findByText('Lena Hoffmann')).closest('tr');
    expect(row?.textContent).toBe('Lena HoffmannTWB8Q7YD4El•••@m•••.test••••••32102 Jan 2026Verifiedreference');
    expect(sentTo(FIND)[0]?.url).toContain('search=WD-93KX7A');
    if (row) fireEvent.click(row);
    await waitFor(() => expect(addressNow()).toBe('/operator/members/41'));
  });

  test('with too many matches says that not all are listed', async () => {
    const answer = (more: boolean) => ({
      [FIND]: success({ items: [{ ...lena, found_by: 'name' }], next_cursor: null, more }),
    });
    open('/operator/members?search=le', answer(true));
    const said = 'Results for “le”. Too many members match to list them all. Enter more of the name.';
    expect(await screen.findByText(said)).toBeDefined();
    cleanup();
    open('/operator/members?search=le', answer(false));
    expect(await screen.findByText('Results for “le”')).toBeDefined();
  });

  test('without a match says so, with what one letter lacks, and can be cleared', async () => {
    open('/operator/members?search=a', { [FIND]: success({ items: [], next_cursor: null, more: false }) });
    expect(await screen.findByText('No members match “a”')).toBeDefined();
    expect(screen.getByText(/^Enter at least two letters of a name/)).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
    await waitFor(() => expect(addressNow()).toBe('/operator/members'));
  });
});

describe('the member page', () => {
  test('shows who the member is, what they have, and who referred them', async () => {
    open('/operator/members/41');
    expect(await screen.findByRole('heading', { name: 'Lena Hoffmann' })).toBeDefined();
    expect(screen.getByText('lena@mail.test')).toBeDefined();
    expect(screen.getByText('$681.75')).toBeDefined();
    expect(screen.getByText('−$41.25')).toBeDefined();
    expect(screen.getByText('7 in 10 levels, 3 directs')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Anika Rao' }).getAttribute('href')).toBe('/operator/members/7');
    // The company has no member page.
    expect(screen.getByText('Tradewind').closest('a')).toBeNull();
    expect(await screen.findByText('No movements yet')).toBeDefined();
  });

  test('of a closed account says so instead of what is active, and decides nothing', async () => {
    signInAs({ role: 'admin' });
    open('/operator/members/41', {
      'GET /operator/members/41': success(
        aPage({ name: 'Closed account', email: '', mobile_number: '', closed_at: '2026-03-04T12:00:00.000Z' }),
      ),
    });
    const access = within((await screen.findByRole('heading', { name: 'Access' })).closest('section') as HTMLElement);
    expect(access.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'Accountsince 4 Mar 2026, 12:00 UTCClosed',
    ]);
    expect(access.queryByRole('button')).toBeNull();
    expect(screen.queryByRole('button', { name: /^(Propose adjustment|View as member)$/ })).toBeNull();
    expect(screen.getAllByText('Deleted with the account')).toHaveLength(2);
  });

  test('proposes an adjustment of this member to finance, by name', async () => {
    signInAs();
    const { sends } = open('/operator/members/41', { 'POST /operator/adjustments': success(anAdjustment()) });
    const { dialog, asked, type, send } = await openForm('Propose adjustment');
    expect(dialog.textContent).toContain('Lena Hoffmann TWB8Q7YD4E');
    expect(asked.queryByLabelText('Registered Id')).toBeNull();
    type('Amount', '5');
    type('Reason', 'Missed.');
    type('Evidence', 'Q-4F71K2');
    send();
    const why = { reason: 'Missed.', evidence: 'Q-4F71K2' };
    await sends('POST /operator/adjustments', { member_id: '41', wallet_type: 'primary', amount: 5, ...why });
  });

  test('loads each list when its tab is chosen', async () => {
    const { sentTo } = open('/operator/members/41', {
      'GET /operator/audit': success({
        items: [
          {
            id: '9',
            at: '2026-03-04T12:00:00.000Z',
            actor: { kind: 'operator', id: '2', name: 'Ines Duarte' },
            action: 'member.freeze',
            subject: 'member:41',
            before: { frozen: false },
            after: { frozen: true },
            address: null,
            seal: '3',
          },
        ],
        next_cursor: null,
      }),
    });
    fireEvent.click(await screen.findByRole('tab', { name: 'Audit' }));
    expect(await screen.findByText('frozen: false → true')).toBeDefined();
    expect(sentTo('GET /operator/audit')[0]?.url).toContain('subject=member%3A41');
    expect(addressNow()).toBe('/operator/members/41/audit');
  });

  test('of an unknown member says so', async () => {
    const message = 'Not found.';
    open('/operator/members/41', {
      'GET /operator/members/41': refused(404, 'not_found', message),
    });
    expect(await screen.findByText('No member at this address.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('that could not be loaded can be retried', async () => {
    open('/operator/members/41', { 'GET /operator/members/41': refused(503, 'unavailable', 'Later.') });
    expect(await screen.findByText('The member could not be loaded')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  });
});

describe('access', () => {
  test('is frozen with a reason and no code', async () => {
    const { sends } = open('/operator/members/41', { 'PUT /operator/members/41/frozen': success(null) });
    fireEvent.click(await screen.findByRole('button', { name: 'Freeze account' }));
    await confirmWith('Freeze account', { reason: 'Stolen phone.' });
    await sends('PUT /operator/members/41/frozen', { frozen: true, why: 'Stolen phone.' });
  });

  test.each<[string, Partial<MemberPage['member']>, string, string, string]>([
    ['to the account', { frozen_at: '2026-03-04T12:00:00.000Z' }, 'since', 'Propose unfreezing', 'unfreeze'],
    [
      'to withdrawals',
      { withdrawals_frozen: { at: '2026-03-04T12:00:00.000Z', cause: 'not_me' } },
      'by the member: this was not me,',
      'Propose resuming',
      'lift_withdrawal_stop',
    ],
  ])('%s is restored by two: finance proposes with a reason and a code', async (_, given, why, propose, what) => {
    signInAs();
    const { sends } = open('/operator/members/41', {
      'GET /operator/members/41': success(aPage(given)),
      'POST /operator/loosenings': success(aLoosening()),
    });
    expect(await screen.findByText(`${why} 4 Mar 2026, 12:00 UTC`)).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: propose }));
    await confirmWith(propose, { reason: 'Called back.', otp: '123456' });
    await sends('POST /operator/loosenings', { member_id: '41', what, reason: 'Called back.', otp: '123456' });
  });

  describe('two-factor authentication', () => {
    test('of a member who lost every device is turned off by two', async () => {
      signInAs();
      const { sends } = open('/operator/members/41', { 'POST /operator/loosenings': success(aLoosening()) });
      fireEvent.click(await screen.findByRole('button', { name: 'Propose turning off' }));
      await confirmWith('Propose turning off', { reason: 'Video call.', otp: '123456' });
      const what = 'turn_off_two_factor';
      await sends('POST /operator/loosenings', { member_id: '41', what, reason: 'Video call.', otp: '123456' });
    });

    test('that is about to end says when, and offers nothing more', async () => {
      signInAs();
      const ending = aLoosening({ what: 'turn_off_two_factor', state: 'approved', due_at: '2026-03-11T12:00:00.000Z' });
      open('/operator/members/41', { 'GET /operator/members/41': success({ ...aPage(), loosenings: [ending] }) });
      const line = (await screen.findByText('Turn off two-factor')).closest('li');
      expect(line?.textContent).toContain('takes effect 11 Mar 2026, 12:00 UTC');
      expect(within(line as HTMLElement).queryByRole('button')).toBeNull();
    });
  });

  describe('with an email change requested', () => {
    const request = { email: 'n•••@mail.test', requested_at: '2026-03-04T12:00:00.000Z', due_at: null };
    const anEmailChange = (due_at: string | null): EmailChange => ({
      ...proposed,
      reference: 'EC-7M2QX4',
      member: aLoosening().member,
      email: 'new@mail.test',
      reason: 'Called back.',
      ...(due_at !== null && { state: 'approved', due_at }),
    });
    const show = (dueAt: string | null = null, items = dueAt === null ? [] : [anEmailChange(dueAt)]) =>
      open('/operator/members/41', {
        'GET /operator/members/41': success(
          aPage({ security: { ...aPage().member.security, email_request: { ...request, due_at: dueAt } } }),
        ),
        'GET /operator/email-changes': success({ items, next_cursor: null }),
        'POST /operator/email-changes': success(null),
        'POST /operator/members/41/email-request/end': success(null),
      });

    test('withdrawals are stopped, and finance proposes the change with a note on the identity check', async () => {
      signInAs();
      const { sends } = show();
      expect(await screen.findByText('while an email change is requested')).toBeDefined();
      fireEvent.click(await screen.findByRole('button', { name: 'Propose change' }));
      expect(screen.getByRole('dialog').textContent).toContain(
        '7 days later. The member is notified of the approval and of the change.',
      );
      await confirmWith('Propose change', { reason: 'Called back.', otp: '123456' });
      await sends('POST /operator/email-changes', { member_id: '41', reason: 'Called back.', otp: '123456' });
    });

    test('an approved change is ended with a reason', async () => {
      signInAs();
      const { sends } = show('2026-03-11T12:00:00.000Z');
      const link = await screen.findByRole('link', { name: 'Email change' });
      expect(link.getAttribute('href')).toBe('/operator/email-changes/6?state=approved');
      expect(link.parentElement?.textContent).toContain(', takes effect 11 Mar 2026, 12:00 UTC');
      expect(screen.queryByRole('button', { name: 'Propose change' })).toBeNull();
      fireEvent.click(screen.getByRole('button', { name: 'End request' }));
      await confirmWith('End request', { reason: 'Unknown caller.' });
      await sends('POST /operator/members/41/email-request/end', { why: 'Unknown caller.' });
    });

    test('a proposed change links to its proposal, and is not proposed again', async () => {
      signInAs();
      show(null, [anEmailChange(null)]);
      const link = await screen.findByRole('link', { name: 'Email change' });
      expect(link.getAttribute('href')).toBe('/operator/email-changes/6');
      expect(screen.queryByRole('button', { name: 'Propose change' })).toBeNull();
    });

    test('support decides nothing', async () => {
      show();
      await screen.findByText('while an email change is requested');
      expect(screen.queryByRole('button', { name: /^(Propose change|End request)$/ })).toBeNull();
    });
  });

  test('cannot be restored by support, who can see the proposal and keep the restriction', async () => {
    const { sends } = open('/operator/members/41', {
      'GET /operator/members/41': success({
        ...aPage({ frozen_at: '2026-03-04T11:00:00.000Z' }),
        loosenings: [aLoosening()],
      }),
      'PUT /operator/members/41/frozen': success(null),
    });
    const link = await screen.findByRole('link', { name: 'Unfreeze account' });
    expect(link.getAttribute('href')).toBe('/operator/loosenings/6');
    expect(link.closest('li')?.textContent).toContain('proposed by Ines Duarte, 4 Mar 2026, 12:00 UTC');
    expect(screen.queryByRole('button', { name: /^Propose/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Keep restricted' }));
    await confirmWith('Keep restricted', { reason: 'The call was forged.' });
    await sends('PUT /operator/members/41/frozen', { frozen: true, why: 'The call was forged.' });
  });

  test('restored by a single approval shows when it takes effect', async () => {
    open('/operator/members/41', {
      'GET /operator/members/41': success({
        ...aPage({ frozen_at: '2026-03-04T11:00:00.000Z' }),
        loosenings: [aLoosening({ state: 'approved', due_at: '2026-03-05T12:00:00.000Z' })],
      }),
    });
    const link = await screen.findByRole('link', { name: 'Unfreeze account' });
    expect(link.getAttribute('href')).toBe('/operator/loosenings/6?state=approved');
    expect(link.closest('li')?.textContent).toContain('takes effect 5 Mar 2026, 12:00 UTC');
  });

  test('limits are tightened with a reason; empty fields are not sent, and the server names the field', async () => {
    const at = 'PUT /operator/members/41/limits';
    const message = 'Only the member can raise or remove a limit.';
    const { bodiesOf } = open('/operator/members/41', {
      [at]: refused(422, 'limits_loosened', message, 'deposit_week'),
    });
    const { asked, type, send } = await openForm('Tighten limits');
    expect(asked.getByText('Current: $200.00')).toBeDefined();
    send();
    for (const fault of ['Enter at least one limit.', 'Enter a reason.']) asked.getByText(fault);
    type('Deposits per week, in whole dollars', '200');
    type('Pause trading and deposits, in days', '1.5');
    type('Reason', 'Asked for it.');
    send();
    for (const fault of [/^This limit is already in force/, 'Enter a whole number.']) asked.getByText(fault);
    type('Deposits per week, in whole dollars', '500');
    type('Pause trading and deposits, in days', '');
    send();
    expect(await asked.findByText(message)).toBeDefined();
    expect(bodiesOf(at)).toEqual([{ deposit_week: 500, why: 'Asked for it.' }]);
  });

  test('as the member sees the account takes a reason and a code, shows the time limit and gives a link', async () => {
    const { bodiesOf } = open('/operator/members/41', {
      'POST /operator/members/41/open': success({
        access_token: 'secret',
        address: 'http://app.test/?accessToken=secret',
        expires_at: '2026-03-04T14:35:00.000Z',
      }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'View as member' }));
    expect(await screen.findByText(/You can open 20 accounts a day \(UTC\)\.$/)).toBeDefined();
    await confirmWith('View as member', { reason: 'Ticket Q-4F71K2', otp: '123456' });
    const link = await screen.findByRole('link', { name: 'Open in new tab' });
    expect(link.getAttribute('href')).toBe('http://app.test/?accessToken=secret');
    expect(screen.getByText(/^Read-only until 14:35 UTC/)).toBeDefined();
    expect(bodiesOf('POST /operator/members/41/open')).toEqual([{ reason: 'Ticket Q-4F71K2', otp: '123456' }]);
  });

  test('as the member sees the account is not offered to finance', async () => {
    signInAs({ role: 'finance' });
    open('/operator/members/41');
    await screen.findByText('Net worth');
    expect(screen.queryByRole('button', { name: 'View as member' })).toBeNull();
  });
});
