import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import classes from './info-article.module.css';

const pages = [
  { to: paths.terms, title: 'Terms' },
  { to: paths.privacy, title: 'Privacy' },
  { to: paths.risk, title: 'Risk' },
  { to: paths.fees, title: 'Fees' },
] as const;

type InfoArticleProps = { title: (typeof pages)[number]['title']; facts: string; children: ReactNode };

/** A page to read: sections in one card, and the way to the other pages of its kind. */
export function InfoArticle({ title, facts, children }: InfoArticleProps) {
  return (
    <div className={classes.article}>
      <PageHead title={title} facts={facts} />
      <nav className={classes.pages} aria-label="Pages to read">
        {pages.map((page) => (
          <Link key={page.to} to={page.to} aria-current={page.title === title ? 'page' : undefined}>
            {page.title}
          </Link>
        ))}
      </nav>
      <Panel padded={false}>{children}</Panel>
    </div>
  );
}

/** One matter with its heading. */
export function InfoSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Where a member or a stranger can write to. */
export function SupportAddress() {
  const { supportEmail } = appInfo;
  if (supportEmail === null) return <>the operator of this site</>;
  return (
    <a className={classes.link} href={`mailto:${supportEmail}`}>
      {supportEmail}
    </a>
  );
}
