package io.idem.applications.story;

import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The place of the key in the messages or requests of an application. */
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
    /** The header of HTTP. */
    IDEMPOTENCY_KEY {
        @Override
        Map<String, String> headers(String key) {
            return Map.of("Idempotency-Key", key);
        }
    },
    /** The number of an event of GitHub, which signs the body. */
    GITHUB {
        @Override
        Map<String, String> headers(String key) {
            return Map.of("X-GitHub-Delivery", key, "X-Hub-Signature-256", "sha256=" + signature(key));
        }

        @Override
        String id(String payment) {
            return "event:/payments:github:" + payment;
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

    /** The secret of the sender that signs. */
    public static final String SIGNING_SECRET = "of the shop and its sender";

    private static final String TENANT = "shop.tenant";

    /** Returns the key of a payment as idem reads it, for the tenant in {@code shop.tenant}. */
    static IdempotencyKey key(Application application, String payment) {
        return new IdempotencyKey(
                application.settings().getOrDefault(TENANT, IdempotencyKey.DEFAULT_TENANT),
                of(application).id(payment));
    }

    static KeyPlace of(Application application) {
        return valueOf(application.settings().getOrDefault(SETTING, HEADER.name()));
    }

    abstract Map<String, String> headers(String key);

    /** Returns the text of the key of a payment. */
    String id(String payment) {
        return payment;
    }

    private static String signature(String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SIGNING_SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
