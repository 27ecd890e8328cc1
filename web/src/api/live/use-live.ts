import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refusals } from '#contract/refusals.ts';
import { toast } from '../../ui/frame/toast.ts';
import { setLive } from '../query-of.ts';
import { endSession, getAccessToken, useAccessToken } from '../sign-in-state.ts';
import { translate } from '../texts.ts';
import { keepUpToDate } from './keep-up-to-date.ts';
import { openLive } from './live-socket.ts';

/** Signing out here also ends the connection, and is known by then: it is not announced. */
const OWN_SIGN_OUT_MS = 1_000;

/** While somebody is signed in, keeps what is on screen current; without a connection the lists are polled. */
export function useLive(): void {
  const client = useQueryClient();
  const token = useAccessToken();

  useEffect(() => {
    if (token === undefined) return;
    let ending: ReturnType<typeof setTimeout> | undefined;
    const screen = keepUpToDate(client);
    const close = openLive(token, {
      onReady: (isResumed) => {
        setLive(true, client);
        if (!isResumed) screen.invalidateAll();
      },
      onMessage: screen.apply,
      onDisconnected: () => setLive(false, client),
      onSignedOut: () => {
        ending = setTimeout(() => {
          if (getAccessToken() !== token) return;
          toast.error(translate(refusals.session_required[1]));
          endSession();
        }, OWN_SIGN_OUT_MS);
      },
    });
    return () => {
      clearTimeout(ending);
      close();
      screen.stop();
    };
  }, [client, token]);
}
