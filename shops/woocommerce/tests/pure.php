<?php

// The parts of the plug-in that need no WordPress: reads cases in JSON, one a line, and writes a result a line.

declare(strict_types=1);

define('ABSPATH', __DIR__);

foreach (['WebhookSignature', 'OrderPayments'] as $class) {
    require __DIR__ . '/../src/' . $class . '.php';
}

while (($line = fgets(STDIN)) !== false) {
    $case = json_decode($line, true);
    if ($case['kind'] === 'webhook') {
        $headers = array_change_key_case($case['headers']);
        $result = Florin\WooCommerce\WebhookSignature::isGenuine(
            (string) base64_decode($case['body'], true),
            $headers['webhook-id'] ?? '',
            $headers['webhook-timestamp'] ?? '',
            $headers['webhook-signature'] ?? '',
            (string) $case['endpointSecret'],
            (int) $case['now']
        );
    } else {
        $result = Florin\WooCommerce\OrderPayments::orderIdOf($case['reference']);
    }
    echo json_encode($result), "\n";
}
