package io.idem.applications.story;

import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import java.util.Map;

/** The place of the key in the messages of an application. */
public enum KeyPlace {
    /** In the header of idem. */
    HEADER {
        @Override
        Map<String, String> headers(String key) {
            return Map.of(IdempotencyHeaders.KEY, key);
        }
    },
    /** The id of the message. */
    MESSAGE_ID {
        @Override
        Map<String, String> headers(String key) {
            return Map.of("message-id", key);
        }
    },
    /** In a header that an expression names. */
    ORDER_HEADER {
        @Override
        Map<String, String> headers(String key) {
            return Map.of("order-id", key);
        }
    },
    /** Nowhere but in the body. */
    BODY {
        @Override
        Map<String, String> headers(String key) {
            return Map.of();
        }
    };

    /** The setting by which an application says which it is; in the header otherwise. */
    public static final String SETTING = "shop.key-place";

    private static final String TENANT = "shop.tenant";

    /** The key of a payment as idem understands it, of the tenant in {@code shop.tenant}. */
    static IdempotencyKey key(Application application, String payment) {
        return new IdempotencyKey(application.settings().getOrDefault(TENANT, IdempotencyKey.DEFAULT_TENANT), payment);
    }

    static KeyPlace of(Application application) {
        return valueOf(application.settings().getOrDefault(SETTING, HEADER.name()));
    }

    abstract Map<String, String> headers(String key);
}
