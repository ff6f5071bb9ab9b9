import { settings } from '../config/settings.ts';

/** Every setting with its default, for `florin config --help`. */
export function configHelp(): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.map(({ name, fallback, help }) => {
    const suffix = fallback && !help.includes('Default:') ? ` Default: ${fallback}.` : '';
    return `  ${name.padEnd(width)}  ${help}${suffix}`;
  });
  return `Florin is configured by environment variables:\n\n${lines.join('\n')}\n`;
}
