import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { useKeptFocus } from '../focus-page.ts';
import { Dialog } from './dialog.tsx';

function Page({ onPress, onSubmit, onBelow }: Record<'onPress' | 'onSubmit' | 'onBelow', () => void>) {
  const [isOpen, setOpen] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for whatever listens around a dialog
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div onClick={onBelow}>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Trade">
        <form onSubmit={onSubmit} aria-label="Order">
          <input aria-label="Amount" />
          <button type="button" onClick={onPress}>
            Place
          </button>
          <button type="button" onClick={() => setOpen(false)}>
            Done
          </button>
        </form>
      </Dialog>
    </div>
  );
}

function open() {
  const heard = { onPress: vi.fn(), onSubmit: vi.fn(), onBelow: vi.fn() };
  renderAt('/', <Page {...heard} />, { fading: true });
  fireEvent.click(screen.getByText('Open'));
  return heard;
}

test('a closing dialog takes no press, submits nothing, and lets no event through to what is around it', async () => {
  const { onPress, onSubmit, onBelow } = open();
  const place = await screen.findByText('Place');
  fireEvent.click(place);
  fireEvent.submit(screen.getByLabelText('Order'));
  expect([onPress, onSubmit].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);

  fireEvent.click(screen.getByText('Done'));
  onBelow.mockClear();
  expect(place.isConnected).toBe(true);
  fireEvent.click(place);
  fireEvent.submit(screen.getByLabelText('Order'));
  expect([onPress, onSubmit, onBelow].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
});

test('a press beside it closes a dialog, unless something was typed since it opened', async () => {
  const pressBeside = async () => {
    await screen.findByLabelText('Amount');
    fireEvent.click(document.querySelector('.mantine-Modal-overlay') as HTMLElement);
  };
  const isClosing = () => screen.getByRole('dialog', { hidden: true }).closest('[data-closing]') !== null;
  open();
  fireEvent.input(await screen.findByLabelText('Amount'), { target: { value: '50' } });
  await pressBeside();
  expect([isClosing(), screen.getByLabelText<HTMLInputElement>('Amount').value]).toEqual([false, '50']);

  fireEvent.click(screen.getByText('Done'));
  fireEvent.click(screen.getByText('Open'));
  await pressBeside();
  expect(isClosing()).toBe(true);
});

test('reopening clears what was typed, even before the dialog has faded out', async () => {
  const { onPress } = open();
  fireEvent.change(await screen.findByLabelText('Amount'), { target: { value: '50' } });
  fireEvent.click(screen.getByText('Done'));
  fireEvent.click(screen.getByText('Open'));
  await waitFor(() => expect(screen.getByLabelText('Amount')).toHaveProperty('value', ''));
  fireEvent.click(screen.getByText('Place'));
  expect(onPress).toHaveBeenCalledOnce();
});

function FirstAsked() {
  const [isOpen, setOpen] = useState<boolean>();
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      {isOpen !== undefined && (
        <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Claim">
          <button type="button">Claim now</button>
        </Dialog>
      )}
    </>
  );
}

test('a dialog mounted when first opened returns the focus', async () => {
  renderAt('/', <FirstAsked />);
  const ask = screen.getByText('Ask');
  ask.focus();
  fireEvent.click(ask);
  fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(document.activeElement).toBe(ask));
});

function AskedOnce({ together, inDetail = false }: { together: boolean; inDetail?: boolean }) {
  const Place = inDetail ? 'aside' : 'div';
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  useKeptFocus();
  const confirm = () => {
    setOpen(false);
    setDone(true);
  };
  return (
    <main id="page" tabIndex={-1}>
      <Place>
        <h2 tabIndex={-1}>Withdrawal</h2>
        {!isDone && (
          <button type="button" onClick={() => setOpen(true)}>
            Ask
          </button>
        )}
      </Place>
      {!(together && isDone) && (
        <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Trade">
          <button type="button" onClick={confirm}>
            Confirm
          </button>
        </Dialog>
      )}
    </main>
  );
}

test.each([
  ['page', true, false],
  ['page', false, false],
  ['heading of the detail', false, true],
])('the %s takes the focus when the button is gone, with its dialog: %s', async (_, together, inDetail) => {
  renderAt('/', <AskedOnce together={together} inDetail={inDetail} />);
  const ask = screen.getByText('Ask');
  ask.focus();
  fireEvent.click(ask);
  const confirm = await screen.findByText('Confirm');
  confirm.focus();
  fireEvent.click(confirm);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole(inDetail ? 'heading' : 'main')));
});
