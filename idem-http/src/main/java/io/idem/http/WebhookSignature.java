package io.idem.http;

import static io.idem.internal.value.Arguments.require;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies the HMAC-SHA256 of a webhook over its body as received. Thread-safe. */
final class WebhookSignature implements RequestCheck {

    private static final String ALGORITHM = "HmacSHA256";

    /** The largest difference between the time that was signed and the clock, in seconds, as Stripe, Slack and Standard Webhooks have it. */
    private static final long TOLERANCE = 300;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{.*}");

    private final Scheme scheme;
    private final List<SecretKeySpec> keys;

    /** @throws IllegalArgumentException if there is no secret, or one is not in the form of the scheme */
    WebhookSignature(Scheme scheme, WebhookPreset preset, List<String> secrets) {
        this.scheme = scheme;
        this.keys = secrets.stream().map(secret -> key(preset, secret)).toList();
        require(!keys.isEmpty(), "signing-secrets of " + preset + " is empty; name at least one");
    }

    private static SecretKeySpec key(WebhookPreset preset, String secret) {
        require(
                !secret.isEmpty() && secret.strip().equals(secret),
                "signing-secrets of " + preset
                        + " has an empty one, or one with blanks around it; copy it from the sender or remove it");
        // Spring binds what it cannot resolve as it is written, and what is written in the settings is no secret.
        require(
                !PLACEHOLDER.matcher(secret).find(),
                "signing-secrets of " + preset
                        + " has a placeholder that nothing replaces; set the property or environment variable that it names");
        if (preset != WebhookPreset.STANDARD_WEBHOOKS) {
            return new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
        }
        try {
            String encoded = secret.startsWith("whsec_") ? secret.substring("whsec_".length()) : secret;
            return new SecretKeySpec(Base64.getDecoder().decode(encoded), ALGORITHM);
        } catch (IllegalArgumentException noBase64) {
            // Without the cause, whose message would tell a character of the secret.
            throw new IllegalArgumentException(
                    "signing-secrets of " + preset + " has one that is not whsec_ and Base64; copy it from the sender");
        }
    }

    @Override
    public Optional<Refusal> check(IncomingRequest request, byte[] body) {
        Optional<Signed> sent =
                scheme.read(request).filter(signed -> !signed.signatures().isEmpty());
        if (sent.isEmpty()) {
            return refused("The request carries no signature in the form of its sender.");
        }
        if (body.length == 0) {
            return refused("There is no body, or it was taken apart before its signature could be verified.");
        }
        Signed signed = sent.get();
        if (!isOf(request, body)) {
            return refused("The signature is not that of this body.");
        }
        return signed.timely()
                ? Optional.empty()
                : refused("The time that was signed is more than " + TOLERANCE + " seconds from the server's clock.");
    }

    /** Returns whether one of the secrets signed the body, at whatever time. */
    boolean isOf(IncomingRequest request, byte[] body) {
        return scheme.read(request)
                .filter(signed -> keys.stream().anyMatch(key -> signed.by(key, body)))
                .isPresent();
    }

    private static Optional<Refusal> refused(String detail) {
        return Optional.of(Refusal.of(HttpProblem.SIGNATURE_INVALID, detail));
    }

    static Optional<Signed> stripe(IncomingRequest request) {
        return KeyParts.header(request, "Stripe-Signature").flatMap(line -> {
            List<String> times = items(line.split(","), "t=");
            return times.size() != 1
                    ? Optional.empty()
                    : at(times.get(0), times.get(0) + ".", hex(items(line.split(","), "v1=")));
        });
    }

    static Optional<Signed> github(IncomingRequest request) {
        return KeyParts.header(request, "X-Hub-Signature-256")
                .map(line -> new Signed(Optional.empty(), "", hex(items(new String[] {line}, "sha256="))));
    }

    static Optional<Signed> shopify(IncomingRequest request) {
        return KeyParts.header(request, "X-Shopify-Hmac-Sha256")
                .map(line -> new Signed(Optional.empty(), "", base64(List.of(line))));
    }

    static Optional<Signed> slack(IncomingRequest request) {
        return KeyParts.header(request, "X-Slack-Signature")
                .flatMap(line -> KeyParts.header(request, "X-Slack-Request-Timestamp")
                        .flatMap(time -> at(time, "v0:" + time + ":", hex(items(new String[] {line}, "v0=")))));
    }

    static Optional<Signed> standard(IncomingRequest request) {
        // The headers of the number that is the key: with others, a copy of a signed request could get another key.
        String sender = KeyParts.header(request, "webhook-id").isPresent() ? "webhook-" : "svix-";
        return KeyParts.header(request, sender + "signature")
                .flatMap(line -> KeyParts.header(request, sender + "timestamp")
                        .flatMap(time -> KeyParts.header(request, sender + "id")
                                .flatMap(
                                        id -> at(time, id + "." + time + ".", base64(items(line.split(" "), "v1,"))))));
    }

    private static Optional<Signed> at(String time, String prefix, List<byte[]> signatures) {
        return time.matches("[0-9]{1,12}")
                ? Optional.of(new Signed(Optional.of(Long.parseLong(time)), prefix, signatures))
                : Optional.empty();
    }

    /** Returns what stands behind a name in those items that have it. */
    private static List<String> items(String[] items, String name) {
        List<String> values = new ArrayList<>();
        for (String item : items) {
            String stripped = item.strip();
            if (stripped.startsWith(name)) {
                values.add(stripped.substring(name.length()));
            }
        }
        return values;
    }

    private static List<byte[]> hex(List<String> signatures) {
        return decoded(signatures, HexFormat.of()::parseHex);
    }

    private static List<byte[]> base64(List<String> signatures) {
        return decoded(signatures, Base64.getDecoder()::decode);
    }

    /** Decodes signatures; leaves out those that are not in this form, since another one may be. */
    private static List<byte[]> decoded(List<String> signatures, Function<String, byte[]> decoder) {
        return signatures.stream()
                .flatMap(signature -> decoded(signature, decoder).stream())
                .toList();
    }

    private static Optional<byte[]> decoded(String signature, Function<String, byte[]> decoder) {
        try {
            return Optional.of(decoder.apply(signature));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /** The way in which a sender puts its signature into a request. */
    @FunctionalInterface
    interface Scheme {

        /** Returns what was signed, and the signatures; empty if the request has none. */
        Optional<Signed> read(IncomingRequest request);
    }

    /**
     * A signed body.
     *
     * @param time time of the signature in seconds since 1970; empty if it is not signed
     * @param prefix text that was signed in front of the body
     * @param signatures signatures, one of which must be right
     */
    record Signed(Optional<Long> time, String prefix, List<byte[]> signatures) {

        boolean timely() {
            long now = Instant.now().getEpochSecond();
            return time.isEmpty() || Math.abs(now - time.get()) <= TOLERANCE;
        }

        boolean by(SecretKeySpec key, byte[] body) {
            byte[] right = hmac(key, body);
            return signatures.stream().anyMatch(signature -> MessageDigest.isEqual(right, signature));
        }

        private byte[] hmac(SecretKeySpec key, byte[] body) {
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(key);
                mac.update(prefix.getBytes(StandardCharsets.UTF_8));
                return mac.doFinal(body);
            } catch (GeneralSecurityException impossible) {
                throw new IllegalStateException("Every Java platform has " + ALGORITHM, impossible);
            }
        }
    }
}
