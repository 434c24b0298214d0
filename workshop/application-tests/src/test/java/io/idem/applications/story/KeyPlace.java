package io.idem.applications.story;

import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import java.util.Map;

/** The place of the key in the messages of an application. */
public enum KeyPlace {
    /** The header of idem. */
    HEADER {
        @Override
        Map<String, String> headers(String key) {
            return Map.of(IdempotencyHeaders.KEY, key);
        }
    },
    /** The message id. */
    MESSAGE_ID {
        @Override
        Map<String, String> headers(String key) {
            return Map.of("message-id", key);
        }
    },
    /** A header that an expression names. */
    ORDER_HEADER {
        @Override
        Map<String, String> headers(String key) {
            return Map.of("order-id", key);
        }
    },
    /** The body, without any header. */
    BODY {
        @Override
        Map<String, String> headers(String key) {
            return Map.of();
        }
    };

    /** The setting with the place of an application's keys; the default is the header of idem. */
    public static final String SETTING = "shop.key-place";

    private static final String TENANT = "shop.tenant";

    /** Returns the key of a payment as idem reads it, for the tenant in {@code shop.tenant}. */
    static IdempotencyKey key(Application application, String payment) {
        return new IdempotencyKey(application.settings().getOrDefault(TENANT, IdempotencyKey.DEFAULT_TENANT), payment);
    }

    static KeyPlace of(Application application) {
        return valueOf(application.settings().getOrDefault(SETTING, HEADER.name()));
    }

    abstract Map<String, String> headers(String key);
}
