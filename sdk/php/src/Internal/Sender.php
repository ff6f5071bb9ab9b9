<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\FlorinException;

/**
 * The only sender of requests. It tries again after network errors, timeouts, 429, 5xx and while the same write is in
 * progress; a write carries the same Idempotency-Key every time, so that it takes effect once.
 */
final class Sender
{
    public string $baseUrl;
    public float $timeoutSeconds;
    private string $secretKey;
    private float $deadlineSeconds;
    private int $maxRetries;

    /** @var callable(float): void */
    private $sleep;

    /** @param array<string, mixed> $options those of the client */
    public function __construct(array $options)
    {
        $this->baseUrl = $options['base_url'];
        $this->secretKey = $options['secret_key'];
        $this->timeoutSeconds = (float) ($options['timeout_seconds'] ?? 30);
        $this->deadlineSeconds = (float) ($options['deadline_seconds'] ?? 120);
        $this->maxRetries = $options['max_retries'] ?? 2;
        $this->sleep = $options['sleep'] ?? static function (float $seconds): void {
            usleep((int) round($seconds * 1000000));
        };
    }

    /**
     * Performs a call such as `PUT /payment/create`.
     *
     * @param array{path?: list<string>, query?: array<string, mixed>, body?: array<string, mixed>, key?: ?string, numbers?: list<string>} $parts
     * @return array{mixed, bool} the `data` of the answer, and whether an earlier call with the same key had its effect already
     * @throws FlorinException
     */
    public function send(string $name, array $parts = []): array
    {
        [$method, $template] = explode(' ', $name);
        $url = $this->baseUrl . self::fill($template, $parts['path'] ?? []) . self::query($parts['query'] ?? []);
        $headers = ["Authorization: Bearer $this->secretKey", 'Accept: application/json'];
        $key = $method === 'GET' ? null : $parts['key'] ?? self::newKey();
        if ($key !== null) {
            $headers[] = "Idempotency-Key: $key";
        }
        $body = isset($parts['body']) ? Json::write($parts['body'], $parts['numbers'] ?? []) : null;
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        return $this->attempt(['method' => $method, 'url' => $url, 'headers' => $headers, 'body' => $body], $key);
    }

    private function attempt(array $request, ?string $key): array
    {
        $deadline = microtime(true) + $this->deadlineSeconds;
        for ($tries = 1;; $tries++) {
            try {
                $limit = max(0.001, min($this->timeoutSeconds, $deadline - microtime(true)));
                $answer = Exchange::perform($request, $limit);
                return [Envelope::read($answer), ($answer->headers['idempotent-replayed'] ?? '') === 'true'];
            } catch (FlorinException $error) {
                $error->tries = $tries;
                $error->idempotencyKey = $key;
                $wait = Retry::delaySeconds($error, $tries - 1, mt_rand() / mt_getrandmax());
                $isLate = microtime(true) + $wait >= $deadline;
                if ($tries > $this->maxRetries || !Retry::isPossible($error) || $isLate) {
                    throw $error;
                }
                ($this->sleep)($wait);
            }
        }
    }

    private static function fill(string $template, array $values): string
    {
        return preg_replace_callback('/\{(\w+)\}/', static function (array $match) use (&$values): string {
            $value = array_shift($values);
            // A path with an empty part or dots would lead to another call.
            if (!is_string($value) || in_array($value, ['', '.', '..'], true)) {
                throw new \InvalidArgumentException("$match[1] must be a text that is not empty, \".\" or \"..\"");
            }
            return rawurlencode($value);
        }, $template);
    }

    private static function query(array $query): string
    {
        $pairs = [];
        foreach ($query as $name => $value) {
            foreach (is_array($value) ? $value : [$value] as $each) {
                if ($each !== null) {
                    $pairs[] = rawurlencode((string) $name) . '=' . rawurlencode((string) $each);
                }
            }
        }
        return $pairs === [] ? '' : '?' . implode('&', $pairs);
    }

    /** A random UUID. */
    private static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
