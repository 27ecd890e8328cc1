import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { Invitation } from './invitation.tsx';

const link = () => `${window.location.origin}/register?referralCode=TW7K3QMX9D`;
const share = (answer: () => Promise<void>) => {
  const spy = vi.fn(answer);
  Object.defineProperty(navigator, 'share', { value: spy, configurable: true });
  renderAt('/profile', <Invitation referralCode="TW7K3QMX9D" />);
  fireEvent.click(screen.getByRole('button', { name: 'Share' }));
  return spy;
};

afterEach(() => Reflect.deleteProperty(navigator, 'share'));

test('the link is shown as text and as a QR code', () => {
  renderAt('/profile', <Invitation referralCode="TW7K3QMX9D" />);
  expect(screen.getByText(link())).toBeTruthy();
  const code = screen.getByRole('img', { name: 'QR code of your invitation link' });
  expect(code.querySelector('path')?.getAttribute('d')).toMatch(/^M4 4h7v1h-7z/);
});

test('the share sheet gets the link', async () => {
  const spy = share(async () => undefined);
  await waitFor(() => expect(spy).toHaveBeenCalledWith({ title: 'Tradewind', url: link() }));
});

test('a failed share is reported, a closed share sheet is not', async () => {
  const spy = share(() => Promise.reject(new DOMException('closed', 'AbortError')));
  await waitFor(() => expect(spy).toHaveBeenCalled());
  expect(screen.queryByText('Sharing did not work. Copy the link instead.')).toBeNull();
  spy.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
  fireEvent.click(screen.getByRole('button', { name: 'Share' }));
  expect(await screen.findByText('Sharing did not work. Copy the link instead.')).toBeTruthy();
});

test('without a share sheet there is no share button', () => {
  renderAt('/profile', <Invitation referralCode="TW7K3QMX9D" />);
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});
