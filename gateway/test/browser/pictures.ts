import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, '../../../screenshots');

/** Whether each page is seen in every look: in `npm run test:soak`, and where pictures are wanted. Else in one, in turn. */
export const inEveryLook = Boolean(process.env.SOAK || process.env.PICTURES);

/**
 * Takes a picture of a page for people to look at, as `screenshots/NAME.png`, which git does not keep. Only where
 * PICTURES is set: it takes a third of the time of a look, and no test reads it.
 */
export async function takePicture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}
