import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { otpLength } from '#contract/rules.ts';
import { sharedTokens } from '../../api/tokens.ts';
import classes from './theme.module.css';

const tuple = (shades: string) => shades.split(' ').map((shade) => `#${shade}`) as unknown as MantineColorsTuple;

/** Primary surfaces are set here instead of by auto contrast, which considers only one colour scheme. */
const filled = (prefix: '--button' | '--ai') => ({
  [`${prefix}-bg`]: 'var(--tw-accent-fill)',
  [`${prefix}-hover`]: 'var(--tw-accent-hover)',
  [`${prefix}-color`]: 'var(--tw-on-accent)',
  [`${prefix}-bd`]: '1px solid transparent',
});

/** `danger` is a custom variant: outlined rose. `subtle` is the ghost. */
const variantVars = (prefix: '--button' | '--ai', variant: string | undefined) => {
  if (variant === 'filled' || variant === undefined) return filled(prefix);
  if (variant === 'default') {
    return {
      [`${prefix}-bg`]: 'var(--tw-surface)',
      [`${prefix}-hover`]: 'var(--tw-surface-2)',
      [`${prefix}-color`]: 'var(--tw-text)',
      [`${prefix}-bd`]: '1px solid var(--tw-line-strong)',
    };
  }
  if (variant === 'subtle') {
    return {
      [`${prefix}-bg`]: 'transparent',
      [`${prefix}-hover`]: 'var(--tw-surface-2)',
      [`${prefix}-color`]: 'var(--tw-text-2)',
      [`${prefix}-hover-color`]: 'var(--tw-text)',
      [`${prefix}-bd`]: '1px solid transparent',
    };
  }
  if (variant === 'danger') {
    return {
      [`${prefix}-bg`]: 'transparent',
      [`${prefix}-hover`]: 'var(--tw-loss-tint)',
      [`${prefix}-color`]: 'var(--tw-loss)',
      [`${prefix}-bd`]: '1px solid color-mix(in srgb, var(--tw-loss) 45%, transparent)',
    };
  }
  return {};
};

const buttonSizes = {
  sm: {
    '--button-height': '1.75rem',
    '--button-padding-x': '10px',
    '--button-fz': 'var(--tw-fs-12)',
    '--button-radius': 'var(--tw-r-sm)',
  },
  md: {
    '--button-height': '2.25rem',
    '--button-padding-x': '14px',
    '--button-fz': 'var(--tw-fs-14)',
    '--button-radius': 'var(--tw-r-md)',
  },
  lg: {
    '--button-height': '2.75rem',
    '--button-padding-x': '20px',
    '--button-fz': 'var(--tw-fs-14)',
    '--button-radius': 'var(--tw-r)',
  },
} as const;

const iconSizes = { sm: '28px', md: '36px', lg: '44px' } as const;

type Sized = { size?: unknown; variant?: string };
const pick = <T>(sizes: Record<string, T>, size: unknown) => sizes[typeof size === 'string' ? size : 'md'];

/**
 * Tradewind's Mantine theme. Control heights: sm 28, md 36, lg 44 (48 below 768). Components are keyed by name:
 * importing them would put all of them into the login page.
 */
export const theme = createTheme({
  primaryColor: 'tradewind',
  primaryShade: { light: 7, dark: 5 },
  colors: {
    tradewind: tuple('e3f3f2 c2e6e3 9ad8d4 6ccbc5 2fc4bc 2bbab2 159a93 0b7774 0a706d 085b59'),
    dark: tuple('e8edf4 aab6c7 8593a8 566681 33425a 17202e 101722 0a0f17 070b12 04070c'),
    gray: tuple('f5f7fa f0f3f7 e5eaf1 e1e7ee c5cfdb 8290a5 5b6980 435066 243044 0f1827'),
  },
  white: '#ffffff',
  black: '#0f1827',
  fontFamily: sharedTokens['--tw-font'],
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '12px' },
  defaultRadius: 'lg',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  breakpoints: { xs: '36em', sm: '48em', md: '62em', lg: '80em', xl: '87.5em' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.3334', sm: '1.5385', md: '1.4286', lg: '1.5', xl: '1.4' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontFamily: sharedTokens['--tw-font'],
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '0.875rem', lineHeight: '1.25rem' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.25rem' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  activeClassName: '',
  components: {
    Button: {
      defaultProps: { size: 'md', variant: 'filled' },
      classNames: { root: classes.button, section: classes.buttonSection },
      vars: (_: unknown, props: Sized) => ({
        root: { ...variantVars('--button', props.variant), ...pick(buttonSizes, props.size) },
      }),
    },
    ActionIcon: {
      defaultProps: { size: 'md', variant: 'subtle', radius: 'md' },
      classNames: { root: classes.actionIcon },
      vars: (_: unknown, props: Sized) => {
        const size = pick(iconSizes, props.size);
        return { root: { ...variantVars('--ai', props.variant), ...(size ? { '--ai-size': size } : {}) } };
      },
    },
    Input: { defaultProps: { size: 'lg' }, classNames: { wrapper: classes.inputWrapper, input: classes.input } },
    InputWrapper: {
      defaultProps: { size: 'lg', inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      classNames: { label: classes.label, error: classes.error, description: classes.hint },
    },
    TextInput: { defaultProps: { size: 'lg' } },
    PasswordInput: {
      defaultProps: { size: 'lg' },
      classNames: { innerInput: classes.innerInput, visibilityToggle: classes.eye },
    },
    NumberInput: { defaultProps: { size: 'lg', hideControls: true } },
    Textarea: { defaultProps: { size: 'lg' }, classNames: { input: classes.textarea } },
    Select: {
      defaultProps: { size: 'lg', checkIconPosition: 'right' },
      classNames: { dropdown: classes.menu, option: classes.option },
    },
    Combobox: { classNames: { dropdown: classes.menu, option: classes.option } },
    Menu: { classNames: { dropdown: classes.menu, item: classes.option } },
    Popover: { classNames: { dropdown: classes.menu } },
    Tooltip: { defaultProps: { openDelay: 300 }, classNames: { tooltip: classes.tooltip } },
    PinInput: { defaultProps: { length: otpLength, placeholder: '' } },
    Checkbox: {
      classNames: { root: classes.tick, input: classes.tickInput, label: classes.tickLabel, icon: classes.tickIcon },
    },
    Radio: { classNames: { radio: classes.radio, label: classes.tickLabel } },
    Switch: { classNames: { label: classes.tickLabel } },
    Card: { defaultProps: { withBorder: true, shadow: 'none', padding: 0 }, classNames: { root: classes.card } },
    Paper: { defaultProps: { withBorder: true, shadow: 'none' }, classNames: { root: classes.card } },
    Table: { defaultProps: { striped: false, fz: 'sm' } },
    Skeleton: { defaultProps: { animate: false }, classNames: { root: classes.skeleton } },
    Modal: {
      defaultProps: {
        // A dialog's head is not a second banner landmark.
        attributes: { header: { role: 'presentation' } },
        centered: true,
        padding: 'lg',
        transitionProps: { transition: 'fade', duration: 180 },
      },
      classNames: {
        content: classes.dialog,
        header: classes.dialogHead,
        body: classes.dialogBody,
        title: classes.dialogTitle,
        overlay: classes.scrim,
      },
    },
    Drawer: {
      defaultProps: {
        attributes: { header: { role: 'presentation' } },
        transitionProps: { duration: 240, timingFunction: 'cubic-bezier(.2, .7, .2, 1)' },
      },
      classNames: { content: classes.drawer, overlay: classes.scrim, title: classes.dialogTitle },
    },
    Anchor: { defaultProps: { underline: 'hover' }, classNames: { root: classes.anchor } },
  },
});

/** Mantine's own variables point at the tokens, so that an unstyled component still fits in. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const mantine = {
    '--mantine-color-body': 'var(--tw-bg)',
    '--mantine-color-text': 'var(--tw-text)',
    '--mantine-color-bright': 'var(--tw-text)',
    '--mantine-color-default': 'var(--tw-surface)',
    '--mantine-color-default-hover': 'var(--tw-surface-2)',
    '--mantine-color-default-color': 'var(--tw-text)',
    '--mantine-color-default-border': 'var(--tw-line-strong)',
    '--mantine-color-dimmed': 'var(--tw-text-3)',
    '--mantine-color-placeholder': 'var(--tw-text-3)',
    '--mantine-color-error': 'var(--tw-loss)',
    '--mantine-color-success': 'var(--tw-gain)',
    '--mantine-color-anchor': 'var(--tw-accent)',
    '--mantine-color-disabled': 'var(--tw-surface-3)',
    '--mantine-color-disabled-color': 'var(--tw-text-3)',
    '--mantine-color-disabled-border': 'var(--tw-line-strong)',
    '--mantine-primary-color-filled': 'var(--tw-accent-fill)',
    '--mantine-primary-color-filled-hover': 'var(--tw-accent-hover)',
    '--mantine-primary-color-contrast': 'var(--tw-on-accent)',
  } as const;
  return { variables: {}, dark: mantine, light: mantine };
};

/** Storage key of the theme choice; web/public/theme.js reads it before the first paint. */
export const colorSchemeKey = 'tradewind-color-scheme';
export const defaultColorScheme = 'dark';
