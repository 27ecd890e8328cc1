import type { ComponentProps } from 'react';
import { DataTable, type DataTableProps } from '../table/data-table.tsx';
import { Panel } from './panel.tsx';

type TablePanelProps<Row> = Pick<ComponentProps<typeof Panel>, 'control' | 'controlBelow' | 'foot' | 'className'> &
  Omit<DataTableProps<Row>, 'label' | 'className'> & {
    title: string;
    /** The name of the table, where the title is not enough. */
    label?: string;
  };

/** A card with one table. */
export const TablePanel = <Row,>(props: TablePanelProps<Row>) => {
  const { title, label = title, control, controlBelow, foot, className, ...table } = props;
  return (
    <Panel rule padded={false} {...{ title, control, controlBelow, foot, className }}>
      <DataTable label={label} {...table} />
    </Panel>
  );
};
