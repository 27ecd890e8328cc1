import { type ReactNode, useCallback } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { consolePath } from '../../../ui/paths.ts';
import classes from './list-page.module.css';
import { idOf, ListTable, type ListTableProps } from './list-table.tsx';

type ListPageProps<Row, Tab extends string> = Omit<ListTableProps<Row>, 'selected' | 'onOpen' | 'onClose'> & {
  /** Below `/operator/`, followed by the open row: `withdrawals/17`. */
  path: string;
  title: string;
  facts: ReactNode;
  /** Buttons of the head. */
  actions?: ReactNode;
  /** Between head and list: figures, filters, banners. */
  children?: ReactNode;
  tabs?: TabsProps<Tab>;
  /** In the list's frame, above its rows. */
  tools?: ReactNode;
  /** Beside the list, for the key in the address; the row is given once loaded. */
  detail?: (key: string, close: () => void, row: Row | undefined) => ReactNode;
  /** Called instead of opening beside the list. */
  onOpen?: (row: Row) => void;
};

/** A page of the console: a list, and the detail of a row beside it. */
export function ListPage<Row extends object, Tab extends string = string>(props: ListPageProps<Row, Tab>) {
  const { path, title, facts, actions, children, tabs, tools, detail, ...table } = props;
  const { search } = useLocation();
  const { opened, open, close } = useOpened(path);
  const { rowKey = idOf, list, onOpen } = table;
  const row = list.rows?.find((one) => rowKey(one) === opened);
  return (
    <>
      <PageHead title={title} facts={facts}>
        {actions}
      </PageHead>
      {children}
      <ListFrame tabs={tabs} detail={opened !== undefined && detail?.(opened, close, row)}>
        {tools}
        {/* Another filter is another list, scrolled to its top. */}
        <ListTable<Row>
          key={search}
          {...table}
          selected={opened}
          {...(detail && { onOpen: (one) => open(rowKey(one)), onClose: close })}
          {...(onOpen && { onOpen })}
        />
      </ListFrame>
    </>
  );
}

type TabsProps<Tab extends string> = Pick<Parameters<typeof Tabs<Tab>>[0], 'label' | 'tabs' | 'value' | 'onChange'>;
type ListFrameProps<Tab extends string> = {
  tabs?: TabsProps<Tab> | undefined;
  detail?: ReactNode;
  children: ReactNode;
};

/** List left, detail right, each scrolling separately; on narrow screens the detail covers the list. */
export function ListFrame<Tab extends string>({ tabs, detail, children }: ListFrameProps<Tab>) {
  return (
    <div className={classes.split} data-open={Boolean(detail) || undefined}>
      <section className={classes.list}>{tabs ? <Tabs {...tabs}>{children}</Tabs> : children}</section>
      {detail}
    </div>
  );
}

type TabOptions<Tab> = {
  name?: string;
  /** Without one in the address. */
  home?: Tab;
  /** The page, where the number of what is open means another thing in another tab: it is closed. */
  page?: string;
};

/** The tab in the address, `?state=sent`. Other filters of the address are kept. */
export function useTab<Tab extends string>(
  values: readonly [Tab, ...Tab[]],
  { name = 'state', home = values[0], page }: TabOptions<Tab> = {},
) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const params = new URLSearchParams(search);
  const value = values.find((one) => one === params.get(name)) ?? home;
  const onChange = (next: Tab) => {
    params.delete(name);
    if (next !== values[0]) params.set(name, next);
    void navigate({ pathname: page === undefined ? pathname : consolePath(page), search: params.toString() });
  };
  return { value, onChange };
}

/**
 * What is open beside a list, from the address: `/operator/withdrawals/17`. The link can be sent to a colleague, and
 * Back closes it. The filter in the address is preserved.
 */
export function useOpened(page: string) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const { '*': rest = '' } = useParams();
  const opened = rest === '' ? undefined : rest;
  const open = useCallback(
    (id: string | undefined) =>
      navigate({ pathname: id === undefined ? consolePath(page) : `${consolePath(page)}/${id}`, search }),
    [navigate, page, search],
  );
  const close = useCallback(() => {
    if (opened !== undefined) void open(undefined);
  }, [opened, open]);
  /** For the list. */
  const rows = { selected: opened, onOpen: ({ id }: { id: string }) => void open(id), onClose: close };
  return { opened, open, close, rows };
}
