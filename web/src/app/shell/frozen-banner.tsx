import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../api/me-query.ts';
import { t } from '../../api/texts.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { Strip } from './strip.tsx';

/** Over every page while operators have frozen the account: what is still possible (docs/product.md, section 8). */
export function FrozenBanner() {
  const { data: me } = useQuery(meQuery);
  if (!me?.frozen) return null;
  return (
    <Strip aria-label={t`Your account is frozen`}>
      <Banner tone="loss" icon={<IconAlertTriangle size={20} stroke={1.5} />} title={t`Your account is frozen`}>
        <Trans
          text={t`You can sign in and view your account. Open trades settle as usual. You cannot place trades, deposit or withdraw. Write to <support/> for details.`}
          support={<SupportLink />}
        />
      </Banner>
    </Strip>
  );
}
