import { ActionIcon, Center, Flex, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { t } from '../../api/texts.ts';
import { Note } from '../../ui/text/paragraph.tsx';
import { paths } from '../paths.ts';
import { Mark } from './logo.tsx';

type NarrowFrameProps = { title: string; lead: ReactNode; back?: string; foot?: ReactNode; children?: ReactNode };

/** The frame of single-step pages outside the app: forgot password, code, new password, not me. */
export function NarrowFrame({ title, lead, back = paths.login, foot, children }: NarrowFrameProps) {
  return (
    <Stack
      component="main"
      id="page"
      tabIndex={-1}
      aria-label={title}
      gap={0}
      maw={440}
      mih="100vh"
      mx="auto"
      px={20}
      pt={8}
      pb={24}
    >
      <title>{`${title} · ${appInfo.brandName}`}</title>
      <Flex align="center" mih={48} ml={-12}>
        <ActionIcon component={Link} to={back} size="lg" aria-label={t`Back`}>
          <IconArrowLeft size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
        <Center flex={1} pr={32}>
          <Mark size={28} />
        </Center>
      </Flex>
      <Title order={1} mt={40} fz="1.75rem" lh="2.25rem" lts="-0.015em">
        {title}
      </Title>
      <Text mt={8} mb={32} fz="0.9375rem" lh="1.375rem" c="var(--tw-text-2)" style={{ overflowWrap: 'anywhere' }}>
        {lead}
      </Text>
      {children}
      {foot && (
        <Note mt="auto" pt={32} ta="center" style={{ textWrap: 'balance' }}>
          {foot}
        </Note>
      )}
    </Stack>
  );
}
