import { keyNote, type SnippetContext, type SnippetSet } from './snippet.ts';

/** A test key may stand in the code, which then runs as it was pasted. */
const fallback = ({ key, isWhole }: SnippetContext) => (isWhole ? ` ?: '${key}'` : '');

const call = (context: SnippetContext) => `<?php
$secretKey = getenv('FLORIN_SECRET_KEY')${fallback(context)}; // ${keyNote(context)}

function florin(string $method, string $path, array $body, string $idempotencyKey): array
{
    global $secretKey;
    $request = curl_init('${context.baseUrl}' . $path);
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
  verify: (context) => `<?php
$secretKey = getenv('FLORIN_SECRET_KEY')${fallback(context)}; // ${keyNote(context)}

$body = file_get_contents('php://input');
$expected = base64_encode(hash_hmac('sha256', $body, $secretKey, true));
if (!hash_equals($expected, $_SERVER['HTTP_X_SIGNATURE'] ?? '')) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
if ($event['integration_id'] === '${context.integrationId}' && $event['event_type'] === 'payment_completed') {
    error_log("paid: {$event['payment_reference']}");
}`,
  fundUser: (context) => `${call(context)}
$body = ['username' => 'jane_doe', 'amount' => 5, 'currency' => 'usdc-erc20'];
florin('POST', '/payment/fund-user', $body, 'payout-1001');`,
};
