package io.idem.http.autoconfigure;

import static io.idem.internal.value.Arguments.require;

import io.idem.http.KeySource;
import io.idem.http.RouteOptions;
import io.idem.http.WebhookPreset;
import io.idem.http.autoconfigure.IdemHttpProperties.KeyPlace;
import io.idem.http.autoconfigure.IdemHttpProperties.SignatureMode;
import java.util.List;
import java.util.stream.Stream;

/** The settings of routes whose requests bring their key with them. */
final class RouteKeys {

    private static final KeyPlace NONE = new KeyPlace(null, null, List.of());

    private RouteKeys() {}

    /**
     * Sets where the key of a route comes from, and what verifies its sender.
     *
     * @throws IllegalArgumentException names the setting of the route that is not valid, and what it must be
     */
    static void apply(RouteOptions.Builder options, IdemHttpProperties.Route route) {
        KeyPlace key = route.key() == null ? NONE : route.key();
        checkKey(route, key);
        checkSignature(route, key);
        options.verifiedBefore(route.signature() == SignatureMode.VERIFIED_BEFORE);
        if (key.preset() != null) {
            WebhookPreset preset = key.preset();
            route.signingSecrets()
                    .ofOne()
                    .ifPresentOrElse(
                            secrets -> options.webhook(preset, secrets.toArray(String[]::new)),
                            () -> options.webhooks(preset, route.signingSecrets()));
        } else if (key.header() != null) {
            options.key(KeySource.header(key.header()));
        } else if (!key.pointers().isEmpty()) {
            options.key(KeySource.jsonPointers(key.pointers().toArray(String[]::new)));
        }
    }

    private static void checkKey(IdemHttpProperties.Route route, KeyPlace key) {
        long sources = Stream.of(
                        key.preset() != null,
                        key.header() != null,
                        !key.pointers().isEmpty())
                .filter(set -> set)
                .count();
        require(sources <= 1, "key.preset, key.header and key.pointers exclude each other; set one of them");
        require(sources == 1 || route.key() == null, "key is empty; set key.preset, key.header or key.pointers");
        require(
                sources == 0 || (route.minKeyLength() == null && route.keyFormat() == null),
                "min-key-length and key-format are about the key header, which a route with key does not read; remove them");
    }

    private static void checkSignature(IdemHttpProperties.Route route, KeyPlace key) {
        boolean secrets = !route.signingSecrets().isEmpty();
        require(
                !secrets || key.preset() != null,
                "signing-secrets has an effect only with key.preset; remove it, or verify the sender in a check in code");
        require(
                !secrets || route.signature() == null,
                "signing-secrets and signature=verified-before exclude each other; set one of them");
    }
}
