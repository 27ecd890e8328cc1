import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useId } from 'react';

const Eye = ({ reveal }: { reveal: boolean }) =>
  reveal ? <IconEyeOff size={20} stroke={1.5} aria-hidden /> : <IconEye size={20} stroke={1.5} aria-hidden />;

/** A password with its toggle; Mantine's own does not tie the error to the input. */
export function PasswordField(props: PasswordInputProps & { label: string }) {
  const errorId = `${useId()}-error`;
  return (
    <PasswordInput
      {...props}
      visibilityToggleIcon={Eye}
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide the ${props.label.toLowerCase()}`, tabIndex: 0 }}
      errorProps={{ id: errorId, role: 'alert' }}
      aria-invalid={props.error ? true : undefined}
      aria-describedby={props.error ? errorId : undefined}
    />
  );
}
