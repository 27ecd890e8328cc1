import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { symbols } from '#contract/rules.ts';

const TradeDialog = lazy(() =>
  import('../../features/trading/trade-dialog.tsx').then((module) => ({ default: module.TradeDialog })),
);

const PARAMETER = 'trade';

/** The trade dialog, open while the address has `?trade`; `?trade=btc` chooses the asset. */
export function TradeAtAddress() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const parameters = new URLSearchParams(search);
  const isOpen = parameters.has(PARAMETER);
  const asked = parameters.get(PARAMETER)?.toLowerCase() ?? '';
  const symbol = symbols.includes(asked) ? asked : undefined;
  const [wasOpened, setWasOpened] = useState(isOpen);

  useEffect(() => {
    if (isOpen) setWasOpened(true);
  }, [isOpen]);

  const close = () => {
    parameters.delete(PARAMETER);
    navigate({ pathname, search: parameters.toString() }, { replace: true });
  };

  if (!wasOpened) return null;
  return (
    <Suspense>
      <TradeDialog opened={isOpen} onClose={close} symbol={symbol} />
    </Suspense>
  );
}
