<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/** The calls of Florin's API that a shop needs, with the key of one mode. Amounts are decimal strings. */
final class Api
{
    private const TIMEOUT_SECONDS = 15;
    private const TRIES = 3;

    private string $address;
    private string $key;

    public function __construct(string $address, string $key)
    {
        $this->address = $address;
        $this->key = $key;
    }

    public static function of(string $mode): self
    {
        return new self(Settings::address(), Settings::key($mode));
    }

    /**
     * @param array<string, mixed> $input
     * @return array<string, mixed> `PaymentData` and `PaymentURL`
     * @throws ApiError
     */
    public function createPayment(array $input): array
    {
        return $this->call('PUT', '/payment/create', $input, 'create-' . $input['payment_reference']);
    }

    /**
     * @return array<string, mixed>
     * @throws ApiError
     */
    public function payment(string $reference): array
    {
        return $this->call('GET', '/payments/' . rawurlencode($reference));
    }

    /** @throws ApiError */
    public function cancelPayment(string $reference): void
    {
        $this->call('POST', '/payments/' . rawurlencode($reference) . '/cancel', [], 'cancel-' . $reference);
    }

    /**
     * @param array<string, string> $input
     * @param string $key what makes it happen once, however often it is asked
     * @return array<string, mixed>
     * @throws ApiError
     */
    public function refund(string $reference, array $input, string $key): array
    {
        return $this->call('POST', '/payments/' . rawurlencode($reference) . '/refunds', $input, $key);
    }

    /**
     * @param string[] $events
     * @return array<string, mixed> with `id` and `secret`
     * @throws ApiError
     */
    public function makeEndpoint(string $url, array $events): array
    {
        return $this->call('POST', '/webhook-endpoints', ['url' => $url, 'events' => $events]);
    }

    /**
     * @return array<string, mixed>
     * @throws ApiError
     */
    public function endpoint(string $id): array
    {
        return $this->call('GET', '/webhook-endpoints/' . rawurlencode($id));
    }

    /** @throws ApiError */
    public function removeEndpoint(string $id): void
    {
        $this->call('DELETE', '/webhook-endpoints/' . rawurlencode($id));
    }

    /**
     * Sends a call, and again where it had no answer or the gateway is not well: with the same key, so that it happens once.
     *
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     * @throws ApiError
     */
    private function call(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
    {
        $headers = ['Authorization' => 'Bearer ' . $this->key, 'Accept' => 'application/json'];
        if ($body !== null) {
            $headers['Content-Type'] = 'application/json';
        }
        if ($idempotencyKey !== null) {
            $headers['Idempotency-Key'] = $idempotencyKey;
        }
        $request = [
            'method' => $method,
            'headers' => $headers,
            'timeout' => self::TIMEOUT_SECONDS,
            'redirection' => 0,
            'user-agent' => 'florin-for-woocommerce/' . Plugin::version(),
        ];
        if ($body !== null) {
            $request['body'] = wp_json_encode($body === [] ? new \stdClass() : $body);
        }
        // A write without a key is sent once: its first try may have been done.
        $tries = $method === 'GET' || $idempotencyKey !== null ? self::TRIES : 1;
        for ($try = 1;; $try++) {
            $response = wp_remote_request($this->address . $path, $request);
            $status = is_wp_error($response) ? 0 : (int) wp_remote_retrieve_response_code($response);
            if ($try === $tries || ($status !== 0 && $status < 500)) {
                return $this->read($response, $status);
            }
            usleep(200000 * $try);
        }
    }

    /**
     * @param array<string, mixed>|\WP_Error $response
     * @return array<string, mixed>
     */
    private function read($response, int $status): array
    {
        if (is_wp_error($response)) {
            throw new ApiError(sprintf(
                /* translators: %s: the fault of the connection */
                __('The Florin gateway cannot be reached: %s', 'florin-for-woocommerce'),
                $response->get_error_message()
            ));
        }
        $answer = json_decode((string) wp_remote_retrieve_body($response), true);
        if ($status < 200 || $status > 299 || !is_array($answer)) {
            $message = is_array($answer) && isset($answer['message']) ? (string) $answer['message'] : sprintf(
                /* translators: %d: an HTTP status */
                __('The Florin gateway answered with status %d. Is its address right?', 'florin-for-woocommerce'),
                $status
            );
            throw new ApiError($message, $status, (string) ($answer['error'] ?? ''));
        }
        return is_array($answer['data'] ?? null) ? $answer['data'] : [];
    }
}
