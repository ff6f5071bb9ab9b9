<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\WebhookVerificationException;

/**
 * The secrets of a receiver.
 */
final class WebhookSecrets
{
    /**
     * The keys of X-Signature: each is the whole `sk_...` text. Null when the option is absent.
     *
     * @return ?list<string>
     */
    public static function secretKeys(array $options): ?array
    {
        return self::map($options, 'secret_key', static function ($secret): string {
            if (self::isWith($secret, 'whsec_')) {
                self::refuse('secret_key holds a whsec_ secret, which is the endpoint\'s: pass it as endpoint_secret');
            }
            if (!self::isWith($secret, 'sk_')) {
                self::refuse('secret_key must be the secret key, sk_test_... or sk_live_...' . self::faultOf($secret));
            }
            return $secret;
        });
    }

    /**
     * The keys of webhook-signature: what is base64 after `whsec_`. Null when the option is absent.
     *
     * @return ?list<string>
     */
    public static function endpointSecrets(array $options): ?array
    {
        return self::map($options, 'endpoint_secret', static function ($secret): string {
            if (self::isWith($secret, 'sk_')) {
                self::refuse('endpoint_secret holds a secret key (sk_...): pass it as secret_key');
            }
            if (!self::isWith($secret, 'whsec_')) {
                self::refuse('endpoint_secret must be the endpoint\'s secret, whsec_...' . self::faultOf($secret));
            }
            $text = substr($secret, strlen('whsec_'));
            if (strpbrk($text, '-_') !== false) {
                self::refuse('endpoint_secret is base64url after whsec_, but the gateway gave base64: copy it again');
            }
            $key = self::fromBase64($text);
            if ($key === null) {
                self::refuse('endpoint_secret is not base64 after whsec_: copy it again');
            }
            return $key;
        });
    }

    /** The bytes of standard base64, with or without its padding; null for another text. */
    public static function fromBase64(string $text): ?string
    {
        if (preg_match('#\A[A-Za-z0-9+/]+={0,2}\z#', $text) !== 1) {
            return null;
        }
        $bare = strlen($text) % 4 === 0 ? rtrim($text, '=') : $text;
        if (strpos($bare, '=') !== false || strlen($bare) % 4 === 1) {
            return null;
        }
        return base64_decode($bare);
    }

    private static function map(array $options, string $name, callable $read): ?array
    {
        // An environment variable that is not set must not mean a signature that is not checked.
        if (!array_key_exists($name, $options)) {
            return null;
        }
        $list = is_array($options[$name]) ? array_values($options[$name]) : [$options[$name]];
        if ($list === []) {
            self::refuse("$name is an empty list");
        }
        return array_map($read, $list);
    }

    /** @param mixed $secret */
    private static function isWith($secret, string $prefix): bool
    {
        return is_string($secret) && strpos($secret, $prefix) === 0 && preg_match('/\s\z/', $secret) === 0;
    }

    /**
     * Says what is wrong with a secret, without showing it.
     *
     * @param mixed $secret
     */
    private static function faultOf($secret): string
    {
        if ($secret === null || $secret === false || $secret === '') {
            return ', and is empty: is the environment variable set?';
        }
        if (!is_string($secret)) {
            return ', and is of type ' . gettype($secret);
        }
        return preg_match('/\A["\'\s]|["\'\s]\z/', $secret) === 1 ? ', and has quotes or white space around it' : '';
    }

    private static function refuse(string $message): void
    {
        throw new WebhookVerificationException('bad_secret', $message);
    }
}
