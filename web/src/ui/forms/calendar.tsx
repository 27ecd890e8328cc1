import { t } from '../../api/texts.ts';
import '@mantine/dates/styles.layer.css';
import { DatePicker, DatesProvider } from '@mantine/dates';
import { useEffect, useRef } from 'react';
import { locale } from '../format/locale.ts';

type CalendarProps = {
  value: string | undefined;
  max: string | undefined;
  onChoose: (day: string) => void;
};

/** A month view with navigation to years and months. Loaded when a `DateField` opens it. */
export function Calendar({ value, max, onChoose }: CalendarProps) {
  const root = useRef<HTMLDivElement>(null);
  // It renders after the popover has looked for a focus target.
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return (
    <DatesProvider settings={{ locale: locale(), weekendDays: [] }}>
      <DatePicker
        ref={root}
        size="md"
        hideOutsideDates
        value={value ?? null}
        defaultDate={value ?? max}
        maxDate={max}
        ariaLabels={{
          nextMonth: t`Next month`,
          previousMonth: t`Previous month`,
          nextYear: t`Next year`,
          previousYear: t`Previous year`,
          nextDecade: t`Next decade`,
          previousDecade: t`Previous decade`,
          monthLevelControl: t`Choose a month`,
          yearLevelControl: t`Choose a year`,
        }}
        onChange={(day) => day !== null && onChoose(day)}
      />
    </DatesProvider>
  );
}
