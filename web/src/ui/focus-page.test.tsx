import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderAt } from '../../test/render.tsx';
import { useKeptFocus } from './focus-page.ts';

function Page({ inDialog = false }) {
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
      {inDialog ? (
        <div role="dialog" aria-label="Notifications" tabIndex={-1}>
          {buttons}
        </div>
      ) : (
        buttons
      )}
    </main>
  );
}

test.each([
  ['Remove', false, 'main'],
  ['Disable', false, 'main'],
  ['Remove', true, 'dialog'],
] as const)('%s the focused button, in a dialog %s: the %s takes the focus', async (deed, inDialog, role) => {
  renderAt('/', <Page inDialog={inDialog} />);
  screen.getByText('Cancel').focus();
  fireEvent.click(screen.getByText(deed));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole(role)));
});

test('a closing dialog does not take the focus that it is about to return', async () => {
  renderAt('/', <Page inDialog />);
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
