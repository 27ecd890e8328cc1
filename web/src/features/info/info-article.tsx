import { Anchor, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { appInfo } from '../../api/app-info.ts';
import { t } from '../../api/texts.ts';
import { legalLinks } from '../../ui/frame/legal-links.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { PageTabs } from '../../ui/layout/page-tabs.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import stacked from '../../ui/table/stacked.module.css';
import classes from './info-article.module.css';

type InfoArticleProps = { title: string; facts: string; children: ReactNode };

export function InfoArticle({ title, facts, children }: InfoArticleProps) {
  return (
    <Stack w="100%" maw={832}>
      <PageHead title={title} facts={facts} />
      <PageTabs label={t`Legal pages`} pages={legalLinks} />
      <Panel padded={false}>{children}</Panel>
    </Stack>
  );
}

export function InfoSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function SupportAddress() {
  const { supportEmail } = appInfo;
  if (supportEmail === null) return t`the operator of this site`;
  return <Anchor href={`mailto:${supportEmail}`}>{supportEmail}</Anchor>;
}

export type FeeRow = { readonly cells: readonly [label: ReactNode, ...rest: ReactNode[]]; readonly isSum?: boolean };

type FeeTableProps = {
  /** The table's caption for screen readers. */
  label: string;
  heads: readonly string[];
  rows: readonly FeeRow[];
  /** Columns from this one on are figures, right-aligned. */
  figuresFrom?: number;
};

/** More columns do not fit on a phone. */
const MAX_NARROW = 4;

/** A table inside an article section. On a narrow screen it is stacked, or scrolls inside its own frame. */
export function FeeTable({ label, heads, rows, figuresFrom = heads.length }: FeeTableProps) {
  const align = (column: number) => (column >= figuresFrom ? 'right' : undefined);
  return (
    <div className={classes.scroll}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <table tabIndex={0} aria-label={label} className={heads.length > MAX_NARROW ? stacked.stacked : undefined}>
        <thead>
          <tr>
            {heads.map((head, column) =>
              head === '' ? (
                <td key={head} />
              ) : (
                <th key={head} scope="col" data-align={align(column)}>
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells: [name, ...cells], isSum }, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
            <tr key={row} data-sum={isSum || undefined}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
                <td key={column} data-label={heads[column + 1]} data-align={align(column + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether money is real (docs/product.md, section 1, "Modes"). */
export function MoneyNote() {
  const { mode, money } = appInfo;
  if (money === 'real') return t`This site runs with real money.`;
  return mode === 'paper'
    ? t`This site runs in paper mode. Payments come from a built-in sandbox and no real money moves. Balances have no value outside this site and cannot be exchanged for money.`
    : t`This site runs with test money. Balances have no value outside this site and cannot be exchanged for money.`;
}
