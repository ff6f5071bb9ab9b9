import type { CDPSession, Page } from 'playwright-core';

/** An authenticator that Chromium simulates. It confirms its user unless a test changes that. */
export type Authenticator = { device: CDPSession; authenticatorId: string };

export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return { device, authenticatorId };
}
