import { createHash } from 'node:crypto';
import { brandColors } from '../../identity/integrations/brand-color.ts';

/** The style sheet of a shop's own colour, and the source by which a content security policy allows it and no other. */
export type BrandStyle = { css: string; source: string };

/**
 * The colour of a shop in place of the accent that `tokens.css` has; null: it has none. It stands in the page, since one more
 * file would be one more request.
 */
export function brandStyle(color: string | null): BrandStyle | null {
  if (color === null) return null;
  const { light, lightStrong, dark, darkStrong } = brandColors(color);
  const tokens = (accent: string, strong: string) => `:root{--accent:${accent};--accent-strong:${strong}}`;
  const css = `${tokens(light, lightStrong)}@media (prefers-color-scheme:dark){${tokens(dark, darkStrong)}}`;
  return { css, source: `'sha256-${createHash('sha256').update(css).digest('base64')}'` };
}
