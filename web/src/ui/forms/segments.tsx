import { SegmentedControl } from '@mantine/core';
import classes from './segments.module.css';

type SegmentsProps<T extends string> = {
  /** What is being chosen: "Period", "Interval". */
  label: string;
  options: readonly (T | { value: T; label: string })[];
  value: T;
  onChange: (value: T) => void;
  fullWidth?: boolean;
};

/** A choice of a few short words in one row. */
export function Segments<T extends string>({ label, options, value, onChange, fullWidth = false }: SegmentsProps<T>) {
  return (
    <SegmentedControl<T>
      aria-label={label}
      classNames={{
        root: classes.root,
        control: classes.control,
        label: classes.label,
        indicator: classes.indicator,
      }}
      data={options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option))}
      value={value}
      onChange={onChange}
      fullWidth={fullWidth}
      withItemsBorders={false}
      transitionDuration={120}
    />
  );
}
