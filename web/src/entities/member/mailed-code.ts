import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { DataOf } from '#contract/endpoint.ts';
import type { withdrawals } from '#contract/funds/withdrawals.ts';

/** A request, and the emailed code that confirms exactly that request. */
export type CodeStep<CodeRequest> = {
  asked: CodeRequest;
  code: { sentTo: string; expiresAt: string; resendAt: string; delayed: boolean };
};

/**
 * The emailed-code step is stored in the browser's history entry, under `name`: it survives a reload, for example when
 * a phone reopens the page after its owner has read the email, and Back leads to the previous step.
 */
export function useMailedCode<CodeRequest>(name: string, isCodeRequest: (value: unknown) => value is CodeRequest) {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const step = readStep(partsOf(state)[name], isCodeRequest);
  const [last, setLast] = useState(step);
  const shown = useRef(step);
  useEffect(() => {
    shown.current = step;
  });

  /** Steps replace each other, so that one Back leaves them, unless one is meant to be returned to. */
  const show = (next: CodeStep<CodeRequest> | undefined, { replace = true } = {}) =>
    void navigate({ search }, { replace, preventScrollReset: true, state: next && { [name]: next } });
  const keep = (asked: CodeRequest, sent: DataOf<typeof withdrawals.sendOtp>, options?: { replace: boolean }) => {
    const { sent_to: sentTo, expires_at: expiresAt, resend_at: resendAt, delayed } = sent;
    const next = { asked, code: { sentTo, expiresAt, resendAt, delayed } };
    setLast(next);
    // Whoever left the step while another code was sent stays where they are.
    if (step === undefined || shown.current !== undefined) show(next, options);
  };
  return {
    step,
    show,
    keep,
    live: (asked: CodeRequest) => liveStep(last, asked, Date.now()),
    forget: () => setLast(undefined),
  };
}

/** The last step, if its code is still valid and was emailed for exactly this request: then no new code is needed. */
export const liveStep = <CodeRequest>(last: CodeStep<CodeRequest> | undefined, asked: CodeRequest, now: number) =>
  last && JSON.stringify(last.asked) === JSON.stringify(asked) && Date.parse(last.code.expiresAt) > now
    ? last
    : undefined;

/** Location state may hold anything, so it is validated before use. */
export function readStep<CodeRequest>(
  value: unknown,
  isCodeRequest: (value: unknown) => value is CodeRequest,
): CodeStep<CodeRequest> | undefined {
  const { asked, code } = partsOf(value);
  const { sentTo, expiresAt, resendAt, delayed } = partsOf(code);
  if (!isCodeRequest(asked)) return undefined;
  if (typeof sentTo !== 'string' || typeof expiresAt !== 'string' || typeof resendAt !== 'string') return undefined;
  return typeof delayed === 'boolean' ? { asked, code: { sentTo, expiresAt, resendAt, delayed } } : undefined;
}

/** The fields of a value that may be an object. */
export const partsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
