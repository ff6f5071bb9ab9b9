<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

/** The webhook endpoint of each mode, which the plug-in makes by itself and whose secret only the shop knows. */
final class Endpoints
{
    /** @return array{id: string, secret: string, url: string, key: string}|null */
    public static function of(string $mode): ?array
    {
        $all = get_option(Settings::ENDPOINTS_OPTION, []);
        return is_array($all) && isset($all[$mode]['secret']) ? $all[$mode] : null;
    }

    /**
     * Makes the endpoint of a mode, where it has none for its key and for the shop's present address.
     *
     * @throws ApiError
     */
    public static function ensure(string $mode): void
    {
        $url = WebhookReceiver::url();
        // Another gateway or another key may be another integration, which does not have this endpoint.
        $key = md5(Settings::address() . ' ' . Settings::key($mode));
        $kept = self::of($mode);
        if ($kept !== null && $kept['url'] === $url && $kept['key'] === $key && self::isThere($mode, $kept['id'])) {
            return;
        }
        // The old one goes once there is another: a wrong address costs the shop no webhook.
        $made = Api::of($mode)->makeEndpoint($url, WebhookReceiver::EVENTS);
        self::remove($mode);
        self::keep($mode, ['id' => (string) $made['id'], 'secret' => (string) $made['secret'], 'url' => $url, 'key' => $key]);
    }

    /** @throws ApiError */
    private static function isThere(string $mode, string $id): bool
    {
        try {
            return (Api::of($mode)->endpoint($id)['status'] ?? '') === 'active';
        } catch (ApiError $error) {
            if ($error->status === 404) {
                return false;
            }
            throw $error;
        }
    }

    /** Removes the endpoint of a mode at the gateway, as far as it can be reached, and here. */
    public static function remove(string $mode): void
    {
        $kept = self::of($mode);
        if ($kept === null) {
            return;
        }
        try {
            Api::of($mode)->removeEndpoint($kept['id']);
        } catch (ApiError $error) {
            Settings::log('The webhook endpoint ' . $kept['id'] . ' was not removed: ' . $error->getMessage());
        }
        self::keep($mode, null);
    }

    /** @param array<string, string>|null $endpoint */
    private static function keep(string $mode, ?array $endpoint): void
    {
        $all = get_option(Settings::ENDPOINTS_OPTION, []);
        $all = is_array($all) ? $all : [];
        if ($endpoint === null) {
            unset($all[$mode]);
        } else {
            $all[$mode] = $endpoint;
        }
        update_option(Settings::ENDPOINTS_OPTION, $all, false);
    }
}
