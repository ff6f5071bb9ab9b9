<?php

// What a shop does with BTCPay's PHP client, which stays as it is published: its tree is the first argument. Prints what it
// found as JSON. Arguments: the tree, the gateway's address, a key, the store, an address for webhooks.

[, $tree, $url, $key, $store, $hook] = $argv;

spl_autoload_register(static function (string $class) use ($tree): void {
    $prefix = 'BTCPayServer\\';
    if (strncmp($class, $prefix, strlen($prefix)) === 0) {
        require $tree . '/src/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
    }
});

use BTCPayServer\Client\ApiKey;
use BTCPayServer\Client\Health;
use BTCPayServer\Client\Invoice;
use BTCPayServer\Client\InvoiceCheckoutOptions;
use BTCPayServer\Client\Server;
use BTCPayServer\Client\Store;
use BTCPayServer\Client\StorePaymentMethod;
use BTCPayServer\Client\StoreRate;
use BTCPayServer\Client\Webhook;
use BTCPayServer\Util\PreciseNumber;

$found = [];
$found['authorize'] = ApiKey::getAuthorizeUrl($url, ['btcpay.store.canviewinvoices', 'btcpay.store.cancreateinvoice'], 'Shop', true, true, 'https://shop.example/back', null);
$found['permissions'] = (new ApiKey($url, $key))->getCurrent()->getData()['permissions'];
$info = (new Server($url, $key))->getInfo();
$found['synced'] = $info->isFullySynced();
$found['version'] = $info->getVersion();
$found['stores'] = array_map(static fn ($each) => $each->getId(), (new Store($url, $key))->getStores());
$found['methods'] = array_map(
    static fn ($each) => [$each->getData()['paymentMethod'] ?? null, $each->isEnabled()],
    (new StorePaymentMethod($url, $key))->getPaymentMethods($store)
);

$hooks = new Webhook($url, $key);
$made = $hooks->createWebhook($store, $hook, ['InvoiceSettled', 'InvoiceProcessing', 'InvoiceExpired'], null);
$found['hook'] = [$made->getId(), $made->getSecret(), $hooks->getWebhook($store, $made->getId())->getUrl()];
$hooks->updateWebhook($store, $hook, $made->getId(), ['InvoiceSettled'], true, true, 'another secret');
$found['events'] = $hooks->getWebhook($store, $made->getId())->getAuthorizedEvents()->getData();

$invoices = new Invoice($url, $key);
$options = new InvoiceCheckoutOptions();
$options->setRedirectURL('https://shop.example/thanks')->setSpeedPolicy($options::SPEED_HIGH);
$invoice = $invoices->createInvoice($store, 'EUR', PreciseNumber::parseString('49.90'), 'order 7', 'zoe@example.com', ['posData' => '{}'], $options);
$found['invoice'] = [$invoice->getId(), $invoice->getStatus(), $invoice->getCheckoutLink(), (string) $invoice->getAmount()];
$found['isNew'] = $invoices->getInvoice($store, $invoice->getId())->isNew();
$found['byOrder'] = array_map(static fn ($each) => $each->getId(), $invoices->getInvoicesByOrderIds($store, ['order 7'])->all());
$found['payments'] = array_map(
    static fn ($each) => [$each->getPaymentMethod(), $each->getRate(), $each->getDue(), $each->getNetworkFee()],
    $invoices->getPaymentMethods($store, $invoice->getId())
);
$found['invalid'] = $invoices->markInvoiceStatus($store, $invoice->getId(), 'Invalid')->isInvalid();

try {
    $invoices->createInvoice($store, 'BTC', PreciseNumber::parseString('1'));
    $found['refused'] = null;
} catch (\Throwable $error) {
    $found['refused'] = $error->getCode();
}
$hooks->deleteWebhook($store, $made->getId());

echo json_encode($found, JSON_THROW_ON_ERROR);
