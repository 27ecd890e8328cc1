import type { ReactNode } from 'react';
import { otpRules } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';

/** What everybody should know of a code, at the foot of its page. */
export const CodeRules = ({ children }: { children?: ReactNode }) => (
  <>
    A code works once and allows {otpRules.tries} tries. {children}
    <br />
    No one from {appInfo.brandName} will ever ask you for it.
  </>
);
