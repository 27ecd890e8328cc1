import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

async function open(busy: boolean) {
  const [onClose, onConfirm] = [vi.fn(), vi.fn()];
  const texts = { title: 'Cancel this withdrawal?', keep: 'Keep it', confirm: 'Cancel it', busyLabel: 'Cancelling' };
  renderAt(
    '/',
    <ConfirmDialog {...texts} opened busy={busy} refused={null} onClose={onClose} onConfirm={onConfirm}>
      {'$500.00 return to your Primary Wallet.'}
    </ConfirmDialog>,
  );
  await screen.findByRole('dialog', { name: texts.title });
  return { onClose, onConfirm };
}
const keep = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Keep it' });
/** The ways to leave it. */
const leave = () => {
  fireEvent.click(keep());
  fireEvent.keyDown(keep(), { key: 'Escape' });
  fireEvent.click(document.querySelector('.mantine-Modal-overlay') as HTMLElement);
};

test('it is left by its button, by Escape and by a press beside it', async () => {
  const { onClose, onConfirm } = await open(false);
  leave();
  expect(onClose).toHaveBeenCalledTimes(3);
  expect(onConfirm).not.toHaveBeenCalled();
});

test('while what was confirmed is done, it stays on screen and is confirmed no second time', async () => {
  const { onClose, onConfirm } = await open(true);
  leave();
  fireEvent.click(screen.getByRole('button', { name: /Cancelling/ }));
  expect(keep().disabled).toBe(true);
  expect([onClose, onConfirm].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});
