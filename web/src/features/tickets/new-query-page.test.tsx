import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { addressNow, renderAt } from '../../../test/render.tsx';
import { type Answer, type Answers, refused, settled, stubServer, success } from '../../../test/server.ts';
import { aFile, aTicket, countDrafts, withFonts } from '../../../test/tickets.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { NewQueryPage } from './new-query-page.tsx';

const CREATE = 'POST /ticket/create';

function LeftByAButton() {
  const navigate = useNavigate();
  return (
    <>
      {useLocation().pathname === '/query/new' && <NewQueryPage />}
      <button type="button" onClick={() => navigate('/dashboard')}>
        Leave
      </button>
    </>
  );
}

beforeEach(() => {
  withFonts();
  signIn('secret', { id: '7', name: 'Anika Rao' } as User);
});
afterEach(() => sessionStorage.clear());

function open(at: Parameters<typeof renderAt>[0] = '/query/new', answers: Answers = {}) {
  const calls = stubServer({ [CREATE]: success(aTicket()), ...answers });
  const rendered = renderAt(at, <NewQueryPage />);
  return { ...rendered, sent: () => calls.filter(({ name }) => name === CREATE) };
}

const subject = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Subject' });
const message = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const category = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Category' });
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const attach = (...files: File[]) => fireEvent.change(screen.getByTestId('files'), { target: { files } });
const send = () => fireEvent.click(screen.getByRole('button', { name: /^Send/ }));
const chosen = () => within(screen.getByRole('list', { name: 'Files to send' })).getAllByRole('listitem');

async function choose(name: string) {
  fireEvent.click(category());
  fireEvent.click(await screen.findByRole('option', { name }));
}

test('a query is sent with its category and files, and its thread opens', async () => {
  const { sent } = open();
  type(subject(), '  Where is my deposit  ');
  await choose('Deposit');
  type(message(), 'I paid an hour ago.\n');
  attach(aFile('transfer.png', 'image/png', 'abc'));
  expect((await screen.findByText('transfer.png')).parentElement?.textContent).toBe('transfer.pngPNG · 1 KB');
  send();
  // A toast, gone after three seconds.
  expect(await screen.findByText('Query sent')).toBeTruthy();
  await waitFor(() => expect(addressNow()).toBe('/query/7'));
  expect(sent().map(({ body }) => body)).toEqual([
    {
      subject: 'Where is my deposit',
      category: 'deposit',
      message: 'I paid an hour ago.',
      attachments: [{ name: 'transfer.png', type: 'image/png', content: 'YWJj' }],
    },
  ]);
  expect(countDrafts()).toBe(0);
});

describe('the subject', () => {
  test('comes from the address, sets the category, and is sent', async () => {
    const { sent } = open({ pathname: '/query/new', search: '?about=deposit:5', state: { aboutLabel: 'DP-7M2QX4' } });
    expect(screen.getByText('DP-7M2QX4')).toBeTruthy();
    expect(category().value).toBe('Deposit');
    type(subject(), 'Late');
    type(message(), 'Where is it?');
    send();
    await waitFor(() => expect(sent().length).toBe(1));
    expect(sent()[0]?.body).toMatchObject({ category: 'deposit', about: { kind: 'deposit', id: '5' } });
  });

  test('is named by its number if the link brought no label, and can be removed', () => {
    open('/query/new?about=trade:17');
    fireEvent.click(screen.getByRole('button', { name: 'Remove Trade 17' }));
    expect(screen.queryByText('Trade 17')).toBeNull();
    expect(addressNow()).toBe('/query/new');
  });

  test.each(['trade:0', 'trade:abc', 'plan:3', 'trade', '<script>:1'])('%s is ignored', (about) => {
    open(`/query/new?about=${encodeURIComponent(about)}`);
    expect(screen.queryByText(/^About/)).toBeNull();
  });

  test('that is not the member’s is refused beside it', async () => {
    const words = 'The item you ask about was not found in your account.';
    open('/query/new?about=trade:17', { [CREATE]: refused(404, 'about_not_found', words) });
    type(subject(), 'A price');
    type(message(), 'Why?');
    send();
    expect((await screen.findByText(words, { selector: 'p[role=alert]' })).textContent).toBe(words);
  });
});

describe('missing values', () => {
  test('are reported at their fields, the first is focused, and nothing is sent', async () => {
    const { sent } = open();
    send();
    for (const words of ['Enter a subject.', 'Choose a category.', 'Write a message.'])
      expect(screen.getByText(words)).toBeTruthy();
    expect(document.activeElement).toBe(subject());
    type(subject(), 'x');
    expect(screen.queryByText('Enter a subject.')).toBeNull();
    await settled();
    expect(sent()).toEqual([]);
  });

  test('a message that is too long is counted and refused', async () => {
    const { sent } = open('/query/new?about=trade:17');
    type(subject(), 'Long');
    type(message(), 'a'.repeat(5001));
    expect(screen.getByText('5,001 of 5,000 characters')).toBeTruthy();
    send();
    expect(screen.getByText('At most 5000 characters.')).toBeTruthy();
    await settled();
    expect(sent()).toEqual([]);
  });

  test('a server error for a field is shown at that field', async () => {
    const error = [{ field: 'subject', reason: 'Control characters are not allowed.' }];
    open('/query/new?about=trade:17', { [CREATE]: { status: 422, body: { status: 'error', error } } });
    type(subject(), 'A');
    type(message(), 'B');
    send();
    expect(await screen.findByText('Control characters are not allowed.', { selector: '[role=alert]' })).toBeTruthy();
  });
});

describe('files', () => {
  test.each([
    ['an image that can contain scripts', aFile('logo.svg', 'image/svg+xml'), /logo\.svg was not attached. Only PNG/],
    ['a file without a type', aFile('notes', ''), /notes was not attached. Only PNG/],
    ['an empty file', aFile('a.png', 'image/png', ''), /a\.png was not attached. The file is empty/],
    [
      'a file of more than 5 MB',
      aFile('b.pdf', 'application/pdf', new Uint8Array(6 * 1024 * 1024)),
      /b\.pdf was not attached. It is 6 MB, and the limit is 5 MB/,
    ],
  ])('%s is refused before anything is sent', async (_, file, words) => {
    open();
    attach(file);
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Files to send' })).toBeNull();
  });

  test('a fourth is refused; removing one makes room', async () => {
    open();
    attach(...['a', 'b', 'c', 'd'].map((name) => aFile(`${name}.png`, 'image/png')));
    expect(await screen.findByText('d.png was not attached. A message can have up to 3 files.')).toBeTruthy();
    expect(chosen().length).toBe(3);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Attach files' }).disabled).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Remove b.png' }));
    attach(aFile('d.png', 'image/png'));
    await screen.findByText('d.png');
    expect(chosen().map((item) => item.textContent)).toEqual(['a', 'c', 'd'].map((name) => `${name}.pngPNG · 1 KB`));
  });

  test('are announced, in a status that is there before the first', async () => {
    open();
    const statuses = screen.getAllByRole('status');
    attach(aFile('a.png', 'image/png'));
    await waitFor(() => expect(statuses.map(({ textContent }) => textContent)).toContain('a.pngPNG · 1 KB'));
  });

  test('removed by keyboard leave the focus at the next file, and the last at the button that attaches one', async () => {
    open();
    attach(...['a', 'b', 'c'].map((name) => aFile(`${name}.png`, 'image/png')));
    await screen.findByText('c.png');
    const remove = (file: string) => fireEvent.click(screen.getByRole('button', { name: `Remove ${file}` }));
    for (const [file, next] of [
      ['b.png', 'Remove c.png'],
      ['c.png', 'Remove a.png'],
      ['a.png', 'Attach files'],
    ] as const) {
      remove(file);
      expect(document.activeElement).toBe(screen.getByRole('button', { name: next }));
    }
  });

  test('can be dragged onto the form', async () => {
    open();
    const form = message().closest('form') as HTMLFormElement;
    const dataTransfer = { types: ['Files'], files: [aFile('slip.pdf', 'application/pdf')] };
    fireEvent.dragOver(form, { dataTransfer });
    expect(form.dataset.over).toBe('true');
    fireEvent.drop(form, { dataTransfer });
    expect(await screen.findByText('slip.pdf')).toBeTruthy();
    expect(form.dataset.over).toBeUndefined();
  });

  test('one that the server refuses is named beside the files', async () => {
    const answer = refused(422, 'attachment_refused', 'This file cannot be attached.', 'attachments.1');
    open('/query/new?about=trade:17', { [CREATE]: answer });
    type(subject(), 'A');
    type(message(), 'B');
    attach(aFile('a.png', 'image/png'));
    attach(aFile('b.png', 'image/png'));
    await screen.findByText('b.png');
    send();
    expect(await screen.findByText(/^b\.png cannot be sent\./, { selector: 'p[role=alert]' })).toBeTruthy();
  });
});

describe('a draft', () => {
  test('survives leaving the page, without its files', async () => {
    const { unmount } = open('/query/new?about=trade:17');
    type(subject(), 'A price');
    type(message(), 'Why this');
    attach(aFile('a.png', 'image/png'));
    await screen.findByText('a.png');
    unmount();
    open();
    expect([subject().value, message().value]).toEqual(['A price', 'Why this']);
    expect(screen.queryByText('a.png')).toBeNull();
  });

  test('is sent though the page was left before the response: nothing opens, and no draft is left', async () => {
    const held = Promise.withResolvers<Answer>();
    stubServer({ [CREATE]: () => held.promise });
    renderAt('/query/new?about=trade:17', <LeftByAButton />);
    type(subject(), 'A price');
    type(message(), 'Why this');
    send();
    fireEvent.click(screen.getByRole('button', { name: 'Leave' }));
    held.resolve(success(aTicket()));
    expect(await screen.findByText('Query sent')).toBeTruthy();
    expect([addressNow(), countDrafts()]).toEqual(['/dashboard', 0]);
  });

  test('belongs to its member alone', () => {
    const { unmount } = open();
    type(message(), 'Something private');
    unmount();
    signIn('other', { id: '8', name: 'Rohan Mehta' } as User);
    open();
    expect(message().value).toBe('');
  });

  test('that is damaged is ignored', () => {
    sessionStorage.setItem('draft/7/query', '{"subject":5,"message":"kept","category":null}');
    open();
    expect([subject().value, message().value]).toEqual(['', 'kept']);
  });
});
