import type { SnippetContext, SnippetSet } from './snippet.ts';

const call = ({ baseUrl, key }: SnippetContext) => `<?php
$secretKey = getenv('FLORIN_SECRET_KEY'); // ${key}: it was shown once, when it was made

function florin(string $method, string $path, array $body, string $idempotencyKey): array
{
    global $secretKey;
    $request = curl_init('${baseUrl}' . $path);
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_POSTFIELDS => json_encode($body),
        CURLOPT_HTTPHEADER => [
            "Authorization: Bearer $secretKey",
            'Content-Type: application/json',
            "Idempotency-Key: $idempotencyKey",
        ],
    ]);
    $answer = json_decode(curl_exec($request), true);
    if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
        throw new RuntimeException($answer['message'] ?? 'The gateway cannot be reached');
    }
    return $answer['data'] ?? [];
}
`;

export const php: SnippetSet = {
  label: 'PHP',
  create: (context) => `${call(context)}
$body = ['amount' => 20, 'currency' => 'USDC', 'payment_type' => 'deposit'];
$created = florin('PUT', '/payment/create', $body, 'order-1001');
// Keep $created['PaymentData']['payment_reference'] with the order.
header('Location: ' . $created['PaymentURL'], true, 303);`,
  verify: ({ key, integrationId }) => `<?php
$secretKey = getenv('FLORIN_SECRET_KEY'); // ${key}

$body = file_get_contents('php://input');
$expected = base64_encode(hash_hmac('sha256', $body, $secretKey, true));
if (!hash_equals($expected, $_SERVER['HTTP_X_SIGNATURE'] ?? '')) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
if ($event['integration_id'] === '${integrationId}' && $event['event_type'] === 'payment_completed') {
    error_log("paid: {$event['payment_reference']}");
}`,
  fundUser: (context) => `${call(context)}
$body = ['username' => 'jane_doe', 'amount' => 5, 'currency' => 'usdc-erc20'];
florin('POST', '/payment/fund-user', $body, 'payout-1001');`,
};
