import type { ReactNode } from 'react';
import { appInfo } from '../../api/app-info.ts';
import { IncomeTabs } from '../../entities/income/income-tabs.tsx';
import { PageHead } from '../../ui/frame/page-head.tsx';

type IncomePageProps = {
  /** The income of this page: the heading is that of the whole section. */
  name: string;
  facts: string;
  /** The way to all of it as a file. */
  download: ReactNode;
  children: ReactNode;
};

export const shareFacts = 'Shares of fees that were collected before; paid into your Profit Wallet';

/** What the pages of all incomes have in common: one heading, and a tab for each. */
export function IncomePage({ name, facts, download, children }: IncomePageProps) {
  return (
    <>
      <title>{`${name} · ${appInfo.brandName}`}</title>
      <PageHead title={<>Income</>} facts={facts}>
        {download}
      </PageHead>
      <IncomeTabs />
      {children}
    </>
  );
}
