import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';
import { compiled, translated } from '../texts.ts';
import { startWordPress, type WordPress } from './wordpress.ts';

/** A copy of Florin for WooCommerce with its texts compiled, as a release has it. */
export async function ownPlugin(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'florin-plugin-'));
  atFileEnd(() => rm(home, { recursive: true, force: true }));
  await cp(join(import.meta.dirname, '../woocommerce'), home, { recursive: true });
  for (const [name, bytes] of translated.map((file) => compiled(file)))
    await writeFile(join(home, 'languages', name), bytes);
  return home;
}

/** A shop with one product of 49.90 EUR, and one page for each kind of checkout. */
export type Shop = WordPress & {
  product: string;
  classic: string;
  blocks: string;
  /** Lets orders lie in tables of their own (HPOS) from now on. */
  keepOrdersInTables(): Promise<void>;
  /** Lets this PHP run in each request; without any, none. */
  disturb(code: string): Promise<void>;
};

/** Sets WooCommerce up in a WordPress tree that has it, with the plug-ins at these paths. */
export async function openShop(
  tree: string,
  plugins: Record<string, string>,
  active: readonly string[],
): Promise<Shop> {
  const wordpress = await startWordPress(tree, plugins);
  await wordpress.php(`require_once 'wp-admin/includes/plugin.php';
    switch_theme('twentytwentyone');
    foreach (['woocommerce/woocommerce.php'] as $each) { $fault = activate_plugin($each); if (is_wp_error($fault)) { fwrite(STDERR, $fault->get_error_message()); exit(1); } }`);
  const made = await wordpress.php(`require_once 'wp-admin/includes/plugin.php';
    WC_Install::install(); WC_Install::create_pages();
    foreach (['woocommerce_currency' => 'EUR', 'woocommerce_default_country' => 'NL', 'woocommerce_calc_taxes' => 'no',
      'woocommerce_enable_guest_checkout' => 'yes', 'woocommerce_onboarding_profile' => ['skipped' => true],
      'woocommerce_task_list_hidden' => 'yes', 'woocommerce_show_marketplace_suggestions' => 'no', 'woocommerce_allow_tracking' => 'no',
      'woocommerce_coming_soon' => 'no', 'woocommerce_enable_ajax_add_to_cart' => 'no'] as $name => $value) update_option($name, $value);
    update_option('woocommerce_bacs_settings', ['enabled' => 'yes', 'title' => 'Bank transfer']);
    foreach (${JSON.stringify(active).replaceAll('"', "'")} as $each) { $fault = activate_plugin($each); if (is_wp_error($fault)) { fwrite(STDERR, $fault->get_error_message()); exit(1); } }
    $product = new WC_Product_Simple(); $product->set_name('Notebook'); $product->set_regular_price('49.90'); $product->set_virtual(true); $product->save();
    $page = fn ($title, $content) => wp_insert_post(['post_title' => $title, 'post_type' => 'page', 'post_status' => 'publish', 'post_content' => $content]);
    $classic = $page('Classic checkout', '[woocommerce_checkout]');
    $blocks = $page('Block checkout', '<!-- wp:woocommerce/checkout --><div class="wp-block-woocommerce-checkout wc-block-checkout is-loading"></div><!-- /wp:woocommerce/checkout -->');
    update_option('woocommerce_checkout_page_id', $classic);
    echo json_encode(['product' => $product->get_id(), 'classic' => $classic, 'blocks' => $blocks]);`);
  const ids = JSON.parse(made.slice(made.indexOf('{"product"'))) as {
    product: number;
    classic: number;
    blocks: number;
  };
  const at = (query: string): string => `${wordpress.url}/?${query}`;
  return {
    ...wordpress,
    product: at(`add-to-cart=${ids.product}`),
    classic: at(`page_id=${ids.classic}`),
    blocks: at(`page_id=${ids.blocks}`),
    async keepOrdersInTables() {
      const kept =
        await wordpress.php(`update_option('woocommerce_feature_custom_order_tables_enabled', 'yes');
        wc_get_container()->get(Automattic\\WooCommerce\\Internal\\DataStores\\Orders\\DataSynchronizer::class)->create_database_tables();
        update_option('woocommerce_custom_orders_table_enabled', 'yes'); echo get_option('woocommerce_custom_orders_table_enabled');`);
      if (kept !== 'yes') throw new Error(`Orders are not kept in tables: ${kept}`);
    },
    async disturb(code) {
      const file = Buffer.from(`<?php ${code}`).toString('base64');
      await wordpress.php(
        `wp_mkdir_p(WPMU_PLUGIN_DIR); file_put_contents(WPMU_PLUGIN_DIR . '/disturb.php', base64_decode('${file}'));`,
      );
    },
  };
}
