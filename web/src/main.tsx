import './app/styles/font.css';
import './app/styles/base.css';
import './app/styles/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { language } from './api/texts.ts';
import { Providers } from './app/providers.tsx';
import { Router } from './app/router.tsx';

document.documentElement.lang = language;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <Providers>
      <Router />
    </Providers>
  </StrictMode>,
);
