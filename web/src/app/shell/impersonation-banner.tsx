import { IconEye } from '@tabler/icons-react';
import { useOpenedBy } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { useSignOut } from '../../features/profile/queries.ts';
import { formatTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Banner } from '../../ui/frame/banner.tsx';
import { Strip } from './strip.tsx';

/** Over every page while an operator views a member's account: who, until when, and a button to end it. */
export function OpenedBanner() {
  const openedBy = useOpenedBy();
  const signOut = useSignOut();
  if (openedBy === undefined) return null;
  return (
    <Strip aria-label={t`Support access`}>
      <Banner
        tone="amber"
        icon={<IconEye size={20} stroke={1.5} />}
        title={t`Support access by ${openedBy.name}`}
        action={
          <BusyButton variant="default" busy={signOut.isPending} busyLabel={t`Ending`} onClick={() => signOut.mutate()}>
            {t`End access`}
          </BusyButton>
        }
      >
        {t`Read-only until ${formatTime(openedBy.until)} UTC.`}
      </Banner>
    </Strip>
  );
}
