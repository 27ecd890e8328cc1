import { IconEye, IconEyeOff } from '@tabler/icons-react';

/** The picture of the show/hide toggle of a password. */
export const EyeIcon = ({ reveal }: { reveal: boolean }) =>
  reveal ? <IconEyeOff size={20} stroke={1.5} aria-hidden /> : <IconEye size={20} stroke={1.5} aria-hidden />;
