import { useSyncExternalStore } from 'react';
import { t } from '../texts/t.ts';
import { type Choice, chosenTheme, onTheme } from './theme.ts';

export const themeWords: Record<Choice, string> = {
  system: t('as the system'),
  light: t('light'),
  dark: t('dark'),
};

export function useTheme(): Choice {
  return useSyncExternalStore(onTheme, chosenTheme);
}
