import { Box } from '@mantine/core';

/** A record as it was written down. */
export const Json = ({ value }: { value: unknown }) => (
  <Box
    component="pre"
    m={0}
    ff="monospace"
    fz="xs"
    lh="18px"
    style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
  >
    {JSON.stringify(value, null, 2)}
  </Box>
);
