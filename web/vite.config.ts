import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { nameChunk } from './build/chunks.ts';
import { coinIcons } from './build/coin-icons.ts';
import { firstLoads } from './build/first-loads.ts';
import { interFont } from './build/inter-font.ts';
import { lightEndpoints, refuseSchemas } from './build/light-endpoints.ts';
import { tokenStyles } from './build/token-styles.ts';

const server = 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [lightEndpoints(), refuseSchemas(), coinIcons(), interFont(), firstLoads(), tokenStyles(), react()],
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: server, ws: true },
      '/sandbox': { target: server },
      '/manifest.webmanifest': { target: server },
    },
  },
  build: {
    outDir: join(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // A font inlined into the style sheet would be loaded by everybody, also for letters nobody sees.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: nameChunk, debugName: 'first visits' }],
        },
      },
    },
  },
});
