import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useId } from 'react';
import { t } from '../../api/texts.ts';

const Eye = ({ reveal }: { reveal: boolean }) =>
  reveal ? <IconEyeOff size={20} stroke={1.5} aria-hidden /> : <IconEye size={20} stroke={1.5} aria-hidden />;

/** A password with its toggle. Mantine's own does not associate hint and error with the input, so this does. */
export function PasswordField(props: PasswordInputProps & { label: string }) {
  const id = useId();
  const errorId = `${id}-error`;
  const hintId = `${id}-hint`;
  const described = [props.error && errorId, props.description && hintId].filter(Boolean).join(' ');
  return (
    <PasswordInput
      {...props}
      visibilityToggleIcon={Eye}
      visibilityToggleButtonProps={{ 'aria-label': t`Show or hide ${props.label.toLowerCase()}`, tabIndex: 0 }}
      errorProps={{ id: errorId, role: 'alert' }}
      descriptionProps={{ id: hintId }}
      aria-invalid={props.error ? true : undefined}
      aria-describedby={described || undefined}
    />
  );
}
