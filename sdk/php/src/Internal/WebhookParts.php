<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\WebhookVerificationException;

/**
 * The raw body and the headers of a webhook.
 */
final class WebhookParts
{
    private const HOW_TO_GET_IT =
        "pass the raw text: file_get_contents('php://input'), \$request->getContent() in Symfony and Laravel";

    /**
     * The bytes that were signed.
     *
     * @param mixed $body
     * @throws WebhookVerificationException for whatever is not raw, naming what it is and how to get the raw one
     */
    public static function body($body): string
    {
        if (is_string($body) && $body !== '') {
            return $body;
        }
        if ($body === '' || $body === null || $body === false) {
            $message = 'The body is empty or was read already: ' . self::HOW_TO_GET_IT;
            throw new WebhookVerificationException('body_missing', $message);
        }
        if (is_resource($body)) {
            $message = 'The body was not read yet: ' . self::HOW_TO_GET_IT;
            throw new WebhookVerificationException('body_missing', $message);
        }
        $message = 'The body was parsed before verification, so that its bytes are lost: ' . self::HOW_TO_GET_IT;
        throw new WebhookVerificationException('body_parsed', $message);
    }

    /** The text of UTF-8, without a byte order mark. */
    public static function text(string $body): string
    {
        return strncmp($body, "\xEF\xBB\xBF", 3) === 0 ? substr($body, 3) : $body;
    }

    /** A header's value, repeats joined by a space; `$name` is in lower case. */
    public static function findHeader(array $headers, string $name): ?string
    {
        foreach ($headers as $key => $value) {
            if (strtolower((string) $key) === $name) {
                return is_array($value) ? implode(' ', $value) : (string) $value;
            }
        }
        return null;
    }

    /** @throws WebhookVerificationException where the header is missing */
    public static function requireHeader(array $headers, string $name): string
    {
        $value = self::findHeader($headers, $name);
        if ($value !== null && $value !== '') {
            return $value;
        }
        $advice = 'pass the headers of the request itself; if they hold none, a proxy in front of you removes it';
        throw new WebhookVerificationException('missing_header', "The header $name is missing: $advice");
    }
}
