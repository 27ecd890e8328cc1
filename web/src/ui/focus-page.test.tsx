import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderAt } from '../../test/render.tsx';
import { useKeptFocus } from './focus-page.ts';

function Page({ within }: { within?: 'dialog' | 'region' }) {
  const [state, setState] = useState('there');
  useKeptFocus();
  const buttons = (
    <>
      {state !== 'gone' && <button type="button" disabled={state === 'disabled'}>{`Cancel`}</button>}
      <button type="button" onClick={() => setState('gone')}>
        Remove
      </button>
      <button type="button" onClick={() => setState('disabled')}>
        Disable
      </button>
    </>
  );
  return (
    <main id="page" tabIndex={-1}>
      {within === 'dialog' && (
        <div role="dialog" aria-label="Notifications" tabIndex={-1}>
          {buttons}
        </div>
      )}
      {within === 'region' && <section aria-label="Devices">{buttons}</section>}
      {within === undefined && buttons}
    </main>
  );
}

/** Toasts are in a region of their own. */
const nameOf = { main: {}, dialog: {}, region: { name: 'Devices' } };

test.each([
  ['Remove', undefined, 'main'],
  ['Disable', undefined, 'main'],
  ['Remove', 'dialog', 'dialog'],
  ['Remove', 'region', 'region'],
  ['Disable', 'region', 'region'],
] as const)('%s the focused button, within a %s: the %s takes the focus', async (deed, within, role) => {
  renderAt('/', <Page {...(within && { within })} />);
  screen.getByText('Cancel').focus();
  fireEvent.click(screen.getByText(deed));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole(role, nameOf[role])));
});

function Steps() {
  const [isNext, setNext] = useState(false);
  useKeptFocus();
  return (
    <div role="dialog" aria-label="Add passkey" tabIndex={-1}>
      {isNext ? (
        <form>
          <button type="button">Back</button>
          <input aria-label="Name" data-autofocus />
        </form>
      ) : (
        <button type="button" onClick={() => setNext(true)}>
          Continue
        </button>
      )}
    </div>
  );
}

test('the first field of a dialog’s next step takes the focus', async () => {
  renderAt('/', <Steps />);
  screen.getByText('Continue').focus();
  fireEvent.click(screen.getByText('Continue'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')));
});

test('a region has the focus only as long as it was given it', async () => {
  renderAt('/', <Page within="region" />);
  screen.getByText('Cancel').focus();
  fireEvent.click(screen.getByText('Remove'));
  const region = screen.getByRole('region', nameOf.region);
  await waitFor(() => expect(document.activeElement).toBe(region));
  screen.getByText('Disable').focus();
  expect(region.hasAttribute('tabindex')).toBe(false);
});

test('a closing dialog does not take the focus that it is about to return', async () => {
  renderAt('/', <Page within="dialog" />);
  screen.getByRole('dialog').dataset.closing = 'true';
  screen.getByText('Cancel').focus();
  fireEvent.click(screen.getByText('Remove'));
  await waitFor(() => expect(screen.queryByText('Cancel')).toBeNull());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(document.activeElement).toBe(document.body);
});

test('focus that is elsewhere, or has moved on, stays there', async () => {
  renderAt('/', <Page />);
  const remove = screen.getByText('Remove');
  screen.getByText('Cancel').focus();
  remove.focus();
  fireEvent.click(remove);
  await waitFor(() => expect(screen.queryByText('Cancel')).toBeNull());
  expect(document.activeElement).toBe(remove);
  remove.blur();
  fireEvent.click(screen.getByText('Disable'));
  await waitFor(() => expect(document.activeElement).toBe(document.body));
});
