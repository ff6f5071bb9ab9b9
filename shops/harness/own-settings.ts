import { look, type Stage } from './stage.ts';

/** The page of the settings of Florin for WooCommerce. */
export const settingsPage = ({ shop }: Stage) =>
  `${shop.url}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=florin`;

/** Sets one of its settings, without what saving the form does. */
export const setOption = ({ shop }: Stage, name: string, value: string) =>
  shop.php(`$form = get_option('woocommerce_florin_settings'); $form['${name}'] = '${value}';
    update_option('woocommerce_florin_settings', $form);`);

/** Presses the button of the form that is open; returns the faults that it shows. */
export async function save({ merchant }: Stage): Promise<string[]> {
  await Promise.all([merchant.waitForEvent('load'), merchant.click('button[name=save]')]);
  // It says either that all is saved, or what is wrong.
  await merchant.locator('#message').first().waitFor();
  return await merchant.locator('#message.error, .notice-error').allTextContents();
}

/** Fills in the address of the gateway and a test key, and saves; returns the faults. */
export async function pasteKey(
  stage: Stage,
  key: string,
  address = stage.gateway.baseUrl,
): Promise<string[]> {
  const { merchant } = stage;
  await merchant.goto(settingsPage(stage));
  await merchant.check('#woocommerce_florin_enabled');
  await merchant.fill('#woocommerce_florin_address', address);
  await merchant.fill('#woocommerce_florin_test_key', key);
  await look(merchant, 'settings-1');
  return await save(stage);
}
