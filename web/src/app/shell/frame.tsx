import { Anchor, Box, Button, Flex, Group, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { Link, Outlet } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { useSignedIn } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { legalLinks } from '../../ui/frame/legal-links.ts';
import { Logo } from '../../ui/frame/logo.tsx';
import { ProductMode } from '../../ui/frame/mode-label.tsx';
import { paths } from '../../ui/paths.ts';
import { page } from '../page.ts';

const Layout = page(async () => (await import('./layout.tsx')).Layout);

/** Around all pages except the public ones: the layout for members, a plain frame for visitors who read the terms. */
export function Frame() {
  if (!useSignedIn()) return <PlainFrame />;
  return (
    <Suspense>
      <Layout />
    </Suspense>
  );
}

function PlainFrame() {
  return (
    <Flex direction="column" mih="100vh">
      <Group
        component="header"
        flex="none"
        gap="md"
        mih="var(--tw-header)"
        px={{ base: 'md', sm: 'lg' }}
        style={{ borderBottom: '1px solid var(--tw-line)' }}
      >
        <Link to={paths.login} aria-label={appInfo.brandName}>
          <Logo />
        </Link>
        <ProductMode />
        <Box flex={1} />
        <Button component={Link} to={paths.login} variant="default">
          {t`Sign in`}
        </Button>
      </Group>
      <Stack
        component="main"
        id="page"
        tabIndex={-1}
        flex={1}
        w="100%"
        maw={880}
        mx="auto"
        p={{ base: 'md', sm: 'lg' }}
      >
        <Outlet />
      </Stack>
      <Group
        component="footer"
        justify="center"
        gap="8px 20px"
        px="lg"
        py={20}
        style={{ borderTop: '1px solid var(--tw-line)' }}
      >
        {legalLinks.map(({ label, to }) => (
          <Anchor key={to} component={Link} to={to} fz="sm" fw={400} c="var(--tw-text-2)">
            {label}
          </Anchor>
        ))}
      </Group>
    </Flex>
  );
}
