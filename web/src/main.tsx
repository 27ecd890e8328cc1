import '@fontsource-variable/inter/wght.css';
import './app/styles/font.css';
import './app/styles/base.css';
import './app/styles/tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { language } from './api/texts.ts';
import { Router } from './app/router.tsx';
import { Toaster } from './ui/frame/toaster.tsx';

document.documentElement.lang = language;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <Router />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
);
