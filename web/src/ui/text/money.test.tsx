import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { Money, Percent, SignedMoney } from './money.tsx';

const toneOf = (text: string) => screen.getByText(text).closest('[data-tone]')?.getAttribute('data-tone');

test('the last two of four decimals are dimmed, and read as part of one amount', () => {
  const { container } = renderAt('/', <Money value={4218.635} />);
  expect(container.firstElementChild?.textContent).toBe('$4,218.6350');
  expect(screen.getByText('50').textContent).toBe('50');
});

test('results are coloured by their sign, and zero is not', () => {
  renderAt(
    '/',
    <>
      <SignedMoney value={7.4379} />
      <SignedMoney value={-4.4133} />
      <SignedMoney value={0} />
      <Percent value={-0.29} signed />
    </>,
  );
  expect(toneOf('+$7.4379')).toBe('gain');
  expect(toneOf('−$4.4133')).toBe('loss');
  expect(toneOf('$0')).toBe('flat');
  expect(toneOf('−0.29%')).toBe('loss');
});

test('a movement in a statement is signed and not coloured', () => {
  const { container } = renderAt('/', <SignedMoney value={-4.4133} plain />);
  expect(container.textContent).toContain('−$4.4133');
  expect(container.querySelector('[data-tone]')).toBeNull();
});
