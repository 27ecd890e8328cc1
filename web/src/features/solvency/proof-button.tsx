import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { saveFile } from '../../api/csv.ts';
import { ownLeafQuery } from './queries.ts';

/** Saves the newest seal with the own leaf, as `scripts/check-seal.ts` reads it: for a check that needs nobody's website. */
export function SealButton() {
  const { data } = useQuery(ownLeafQuery);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      disabled={!data}
      onClick={() => {
        if (!data) return;
        const file = new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: 'application/json' });
        saveFile(`seal-${data.snapshot.no}-${data.snapshot.market_day}.json`, file);
      }}
    >
      Download the seal
    </Button>
  );
}
