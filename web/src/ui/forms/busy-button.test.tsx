import { useMutation } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { BusyButton } from './busy-button.tsx';

function Form({ send }: { send: () => Promise<void> }) {
  const { mutate, isPending } = useMutation({ mutationFn: send });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <BusyButton type="submit" busy={isPending} busyLabel="Sending">
        Send
      </BusyButton>
      <BusyButton busy={isPending} busyLabel="Sending" onClick={() => mutate()}>
        Prove
      </BusyButton>
    </form>
  );
}

test.each(['Send', 'Prove'])(
  '%s: a double click calls once, and after a response it can be pressed again',
  async (name) => {
    let sent = 0;
    const send = async () => {
      sent += 1;
    };
    renderAt('/', <Form send={send} />);
    const button = screen.getByRole('button', { name });
    for (const total of [1, 2]) {
      // Both before anything is rendered.
      fireEvent.click(button, { detail: 1 });
      fireEvent.click(button, { detail: 2 });
      await waitFor(() => expect(sent).toBe(total));
      await new Promise((done) => setTimeout(done, 50));
      expect([sent, button.getAttribute('aria-busy')]).toEqual([total, null]);
    }
  },
);
