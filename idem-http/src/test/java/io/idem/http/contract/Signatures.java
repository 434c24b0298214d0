package io.idem.http.contract;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs webhooks as their senders do. */
public final class Signatures {

    public static final String SECRET = "whsec_c2VjcmV0IG9mIHRlc3Rz";
    public static final String SECRET_BEFORE = "whsec_c2VjcmV0IGJlZm9yZQ==";

    private Signatures() {}

    public static Map<String, String> stripe(String secret, String body, Duration ago) {
        String time = time(ago);
        String signature = HexFormat.of().formatHex(hmac(bytes(secret), time + "." + body));
        return Map.of("Stripe-Signature", "t=" + time + ",v1=00ff,v1=" + signature + ",v0=ignored");
    }

    public static Map<String, String> stripe(String body) {
        return stripe(SECRET, body, Duration.ZERO);
    }

    public static Map<String, String> github(String body) {
        return Map.of("X-Hub-Signature-256", "sha256=" + HexFormat.of().formatHex(hmac(bytes(SECRET), body)));
    }

    public static Map<String, String> shopify(String body) {
        return Map.of("X-Shopify-Hmac-Sha256", Base64.getEncoder().encodeToString(hmac(bytes(SECRET), body)));
    }

    public static Map<String, String> slack(String body) {
        String time = time(Duration.ZERO);
        String signature = HexFormat.of().formatHex(hmac(bytes(SECRET), "v0:" + time + ":" + body));
        return Map.of("X-Slack-Request-Timestamp", time, "X-Slack-Signature", "v0=" + signature);
    }

    public static Map<String, String> standard(String id, String body) {
        String time = time(Duration.ZERO);
        byte[] key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
        String signature = Base64.getEncoder().encodeToString(hmac(key, id + "." + time + "." + body));
        return Map.of(
                "webhook-id", id, "webhook-timestamp", time, "webhook-signature", "v1a,AAAA v1,AAAA v1," + signature);
    }

    /** The same under the names that Svix gives the headers. */
    public static Map<String, String> svix(String id, String body) {
        Map<String, String> headers = new HashMap<>();
        standard(id, body).forEach((name, value) -> headers.put(name.replace("webhook-", "svix-"), value));
        return headers;
    }

    private static String time(Duration ago) {
        return Long.toString(Instant.now().minus(ago).getEpochSecond());
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes(text));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
