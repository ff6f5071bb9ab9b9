import { t } from '../../texts/t.ts';
import type { Channel, Kind } from './queries.ts';

export const channels: readonly Channel[] = ['mail', 'day', 'telegram', 'push'];

export const channelNames: Readonly<Record<Channel, string>> = {
  mail: t('Mail at once'),
  day: t('Mail by day'),
  telegram: t('Telegram'),
  push: t('Web push'),
};

export const kindNames: Readonly<Record<Kind, string>> = {
  paid: t('A payment is paid'),
  failed: t('A payment failed'),
  in_appeal: t('A payment is in appeal'),
  refunded: t('A payment was refunded'),
  payout_done: t('A payout was sent or failed'),
  endpoint_down: t('A webhook endpoint was turned off'),
  first_payment: t('The first payment of the day'),
  daily_summary: t('A summary of each day'),
  quiet_summary: t('The summary also of days on which nothing happened'),
};

/** In the order of the page. */
export const kinds = Object.keys(kindNames) as Kind[];
