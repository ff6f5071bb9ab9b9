<?php

declare(strict_types=1);

namespace Florin;

use Florin\Calls\Calls;
use Florin\Internal\Exchange;
use Florin\Internal\Json;
use Florin\Internal\Sender;

/**
 * A client of one integration and mode. It keeps no state: make one and share it.
 */
final class Client extends Calls
{
    private Sender $sender;

    /**
     * `secret_key` is the integration's key of one mode, `sk_test_...` or `sk_live_...`: keep it on the server. `base_url`
     * is where the gateway listens. A try may take `timeout_seconds` (30), and a call with all its tries and the waits
     * between them `deadline_seconds` (120); it is tried again up to `max_retries` (2) times after a fault that can pass.
     * `sleep` gets seconds, and replaces the wait between two tries, so that tests need not wait.
     *
     * @param array{secret_key: string, base_url: string, timeout_seconds?: int|float, deadline_seconds?: int|float, max_retries?: int, sleep?: callable(float): void} $options
     * @throws \InvalidArgumentException for a key or an address that cannot be right
     */
    public function __construct(array $options)
    {
        $this->sender = new Sender([
            'secret_key' => self::checkSecretKey($options['secret_key'] ?? ''),
            'base_url' => self::checkBaseUrl($options['base_url'] ?? ''),
        ] + $options);
        parent::__construct($this->sender);
    }

    /**
     * `['status' => 'ok']` while the gateway's process runs. No key is sent, and it is tried once.
     *
     * @return array{status: string}
     * @throws FlorinException
     */
    public function health(): array
    {
        return $this->ask('/health', [200]);
    }

    /**
     * Whether the gateway can take payments, and what it waits for if it cannot, which is no error.
     *
     * @return array{status: string, for?: list<string>}
     * @throws FlorinException
     */
    public function ready(): array
    {
        return $this->ask('/ready', [200, 503]);
    }

    private function ask(string $path, array $statuses): array
    {
        $request = ['method' => 'GET', 'url' => $this->sender->baseUrl . $path, 'headers' => [], 'body' => null];
        $answer = Exchange::perform($request, $this->sender->timeoutSeconds);
        $data = Json::read($answer->text);
        if (in_array($answer->status, $statuses, true) && is_array($data)) {
            return $data;
        }
        $message = "$path answered $answer->status, but not as a Florin gateway does: check base_url";
        throw new FlorinException($message, ['status' => $answer->status, 'slug' => 'unexpected_response']);
    }

    private static function checkSecretKey(string $secretKey): string
    {
        // A key that is read from a file often has a line break at its end.
        $key = trim($secretKey);
        if (preg_match('/\Ask_(test|live)_[A-Za-z0-9_]+\z/', $key) === 1) {
            return $key;
        }
        throw new \InvalidArgumentException('secret_key must be a key that starts with sk_test_ or sk_live_');
    }

    private static function checkBaseUrl(string $baseUrl): string
    {
        if (preg_match('#\Ahttps?://[^/?\#\s]+[^?\#\s]*\z#', $baseUrl) === 1) {
            return rtrim($baseUrl, '/');
        }
        throw new \InvalidArgumentException(
            'base_url must be an http or https address, such as https://pay.example.com'
        );
    }
}
