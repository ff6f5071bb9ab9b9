import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import { storeIdOf } from '../../identity/store-id.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import { permissionsOf } from '../protocol/permissions.ts';

import { methodOf, offeredAssets } from './methods.ts';

/**
 * The version of that API which the door serves: one in which a payment method stands under `paymentMethod`, which plug-ins
 * of before and after the change read.
 */
const servedVersion = '1.13.5';

const testDeadlineSeconds = 600;

/** `server/info`. Networks are followed by Florin itself, so that there is nothing to synchronise. */
export const serverInfo = (assets: Assets, { mode }: ApiKey) => ({
  version: servedVersion,
  onion: '',
  supportedPaymentMethods: offeredAssets(assets, mode).map(methodOf),
  fullySynched: true,
  syncStatus: [],
});

/** The key of a request; `secret` is what the caller itself sent. */
export const keyView = (key: ApiKey, { secret, label }: { secret: string; label: string }) => ({
  apiKey: secret,
  label,
  permissions: permissionsOf(key),
});

/** The store of a key: its integration in the key's mode. */
export function storeView(key: ApiKey) {
  const { integration, mode } = key;
  return {
    id: storeIdOf(ownerOf(key)),
    name: integration.name,
    website: null,
    supportUrl: null,
    defaultCurrency: 'USD',
    invoiceExpiration: mode === 'test' ? testDeadlineSeconds : integration.liveDeadlineSeconds,
    displayExpirationTimer: 300,
    monitoringExpiration: integration.lateWindowSeconds,
    speedPolicy: 'MediumSpeed',
    paymentTolerance: integration.shortTolerance.percent,
    archived: false,
    anyoneCanCreateInvoice: false,
    receipt: { enabled: true, showQR: false, showPayments: true },
    redirectAutomatically: false,
    defaultLang: 'en',
    networkFeeMode: 'Never',
    defaultPaymentMethod: null,
  };
}

/** A payment method of a store, under the names of both forms of that API. */
const methodView = (asset: Asset) => ({
  enabled: true,
  paymentMethod: methodOf(asset),
  paymentMethodId: methodOf(asset),
  cryptoCode: asset.currency,
  data: { network: asset.network },
});

/** The payment methods of a store, by their names. */
export const methodsView = (assets: Assets, { mode }: ApiKey) =>
  Object.fromEntries(offeredAssets(assets, mode).map((asset) => [methodOf(asset), methodView(asset)]));
