import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { Segments } from '../../ui/forms/segments.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import classes from './profile-page.module.css';

const options: readonly { value: MantineColorScheme; label: string }[] = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
  { value: 'auto', label: 'System' },
];

/** Dark, light, or as the device has it; kept in this browser. */
export function ThemePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title="Theme">
      <Segments label="Theme" options={options} value={colorScheme} onChange={setColorScheme} />
      <p className={classes.note}>Kept in this browser. System follows your device.</p>
    </Panel>
  );
}
