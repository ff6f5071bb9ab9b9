<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * One of the two signatures: the given ones, and how the right ones are computed.
 */
final class Signature
{
    public string $header;
    public string $option;

    /** @var list<string> */
    public array $given;

    /** @var list<string> */
    private array $keys;

    /** What is signed before the body. */
    private string $head = '';

    /**
     * X-Signature: over the body alone, keyed with the whole secret key.
     *
     * @param list<string> $keys
     */
    public static function plain(array $keys, array $headers): self
    {
        $signature = new self();
        $signature->header = 'X-Signature';
        $signature->option = 'secret_key';
        $signature->given = [WebhookParts::requireHeader($headers, 'x-signature')];
        $signature->keys = $keys;
        return $signature;
    }

    /**
     * Standard Webhooks: over id, timestamp and body; one `v1,` signature for each valid secret.
     *
     * @param list<string> $keys
     */
    public static function standard(array $keys, array $headers): self
    {
        $signature = new self();
        $signature->header = 'webhook-signature';
        $signature->option = 'endpoint_secret';
        $id = WebhookParts::requireHeader($headers, 'webhook-id');
        $signature->head = $id . '.' . WebhookParts::requireHeader($headers, 'webhook-timestamp') . '.';
        $listed = WebhookParts::requireHeader($headers, 'webhook-signature');
        // Repeated headers may be joined by commas; the gateway separates signatures by spaces.
        preg_match_all('#(?<![^ ,])v1,([A-Za-z0-9_+/=-]+)#', $listed, $matches);
        $signature->given = $matches[1];
        $signature->keys = $keys;
        return $signature;
    }

    /**
     * Base64, one for each secret.
     *
     * @return list<string>
     */
    public function sign(string $body): array
    {
        return array_map(function (string $key) use ($body): string {
            return base64_encode(hash_hmac('sha256', $this->head . $body, $key, true));
        }, $this->keys);
    }

    /** Whether one of the given signatures is that of the body. */
    public function fits(string $body): bool
    {
        return $this->isOneOf($this->sign($body));
    }

    /**
     * Whether one of the given signatures is an expected one; all are compared, each in constant time.
     *
     * @param list<string> $expected
     */
    public function isOneOf(array $expected): bool
    {
        $matches = 0;
        foreach ($expected as $one) {
            foreach ($this->given as $other) {
                $matches += hash_equals($one, $other) ? 1 : 0;
            }
        }
        return $matches > 0;
    }
}
