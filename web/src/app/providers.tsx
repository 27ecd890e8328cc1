import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createQueryClient } from '../api/query-client.ts';
import { colorSchemeKey, cssVariablesResolver, defaultColorScheme, theme } from '../ui/frame/theme.ts';
import { Toaster } from '../ui/frame/toaster.tsx';

const colorSchemeManager = localStorageColorSchemeManager({ key: colorSchemeKey });
const queryClient = createQueryClient();

export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme={defaultColorScheme}
      // All variables come with the script, which has them anyway, and not a second time as a style sheet.
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <Toaster />
      </QueryClientProvider>
    </MantineProvider>
  );
}
