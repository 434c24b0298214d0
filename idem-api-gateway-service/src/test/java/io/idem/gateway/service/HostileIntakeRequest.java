package io.idem.gateway.service;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

/** Makes requests to an intake with several faults each, and some with none. Every one ends. */
final class HostileIntakeRequest {

    private final Random random;
    private final String key;
    private final String apiKey;

    /**
     * Requests.
     *
     * @param key which many of them carry
     * @param apiKey of the tenant that sends them
     */
    HostileIntakeRequest(Random random, String key, String apiKey) {
        this.random = random;
        this.key = key;
        this.apiKey = apiKey;
    }

    byte[] next() {
        return random.nextInt(100) == 0 ? faultless() : faulty();
    }

    private byte[] faultless() {
        String body = "{\"account\":\"account-0001\",\"amount\":" + random.nextInt(1, 1_000) + "}";
        return bytes(
                "POST /v1/payments HTTP/1.1\r\nHost: intake\r\nConnection: close\r\nAuthorization: Bearer " + apiKey
                        + "\r\nContent-Type: application/json\r\nIdempotency-Key: "
                        + new UUID(random.nextLong(), random.nextLong()) + "\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
    }

    private byte[] faulty() {
        byte[] body = random.nextInt(4) == 0 ? damaged(body()) : bytes(body());
        boolean chunked = random.nextInt(8) == 0;
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        print(request, pick("POST", "POST", "POST", "PATCH", "GET", "post") + " " + path() + " HTTP/1.1\r\n");
        print(request, "Host: intake\r\nConnection: close\r\n" + authorization() + contentType());
        for (int headers = random.nextInt(3); headers > 0; headers--) {
            print(request, pick("Idempotency-Key", "idempotency-KEY") + ": ");
            request.writeBytes(damaged(pick(key, "\"" + key + "\"", key + ", " + key, "k".repeat(300), "")));
            print(request, "\r\n");
        }
        print(
                request,
                pick("", "", "Prefer: wait=\"\r\n", "Prefer: wait=99999999999999999999\r\n", "Origin: \u00ff\r\n"));
        print(request, chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: " + body.length + "\r\n\r\n");
        request.writeBytes(chunked ? chunks(body) : body);
        return request.toByteArray();
    }

    private String path() {
        return pick(
                "/v1/payments",
                "/v1/payments",
                "/v1/payments",
                "/v1/events",
                "/v1/events",
                "/v1/accounts/%00/payouts",
                "/v1/accounts/%ff%22%5c/payouts",
                "/v1/accounts/a;b=c/payouts",
                "/v1/accounts/" + "x".repeat(2_000) + "/payouts",
                "/v1/payments/%",
                "/v1/payments?%",
                "/idem/../v1/payments",
                "/v1/operations/" + pick("%00", "%22", "%", "%ed%a0%80", "%2f"),
                "/idem/openapi.json?%");
    }

    private String authorization() {
        String sent = "Authorization: Bearer " + apiKey + "\r\n";
        return pick(sent, sent, sent, sent, "", "Authorization: Basic \u0000\r\n", sent + sent);
    }

    private String contentType() {
        return pick(
                "",
                "Content-Type: application/json\r\n",
                "Content-Type: application/json\r\n",
                "Content-Type: application/json\r\n",
                "Content-Type: application/x+json; charset=\"\r\n",
                "Content-Type: application/x-www-form-urlencoded; charset=nope\r\n",
                "Content-Type: multipart/form-data; boundary=b\r\n",
                "Content-Type: /;;\r\n");
    }

    private String body() {
        return pick(
                "{\"account\":\"account-0001\",\"amount\":" + random.nextInt(1, 1_000) + "}",
                "{\"account\":" + value(3) + ",\"amount\":" + value(3) + "}",
                "{\"account\":\"account-0001\",\"amount\":1,\"lines\":[" + lines(random.nextInt(1, 150)) + "]}",
                "{\"account\":\"account-0001\",\"amount\":1,\"lines\":[" + "{},".repeat(random.nextInt(200)) + "{}]}",
                "{" + "\"n\":1,".repeat(random.nextInt(3)) + "\"" + "m".repeat(random.nextInt(5_000)) + "\":1}",
                value(6),
                "\ufeff{}",
                "");
    }

    private String lines(int levels) {
        return "{\"parts\":[".repeat(levels) + "]}".repeat(levels);
    }

    private String value(int depth) {
        return depth == 0
                ? scalar()
                : this.<Supplier<String>>any(
                                this::scalar,
                                () -> "[" + value(depth - 1) + "," + value(depth - 1) + "]",
                                () -> "{\"" + pick("account", "amount", "lines", "text", "parts") + "\":"
                                        + value(depth - 1) + "}")
                        .get();
    }

    private String scalar() {
        return pick(
                "1e30",
                "-1e-400",
                "1E999999999",
                "9".repeat(random.nextInt(1, 1_500)),
                "18446744073709551617",
                "0.1",
                "NaN",
                "null",
                "true",
                "\"account-0001\"",
                "\"account-0001\\n\"",
                "\"\\ud800\"",
                "\"\\u0000\"",
                "\"" + "account-".repeat(random.nextInt(1_000)) + "\"",
                "[".repeat(random.nextInt(1_200)));
    }

    /** Some bytes are others. */
    private byte[] damaged(String text) {
        byte[] bytes = bytes(text);
        for (int changes = bytes.length == 0 ? 0 : random.nextInt(4); changes > 0; changes--) {
            byte other = (byte) random.nextInt(256);
            bytes[random.nextInt(bytes.length)] = other == '\r' || other == '\n' ? 0 : other;
        }
        return bytes;
    }

    private byte[] chunks(byte[] body) {
        ByteArrayOutputStream chunked = new ByteArrayOutputStream();
        print(chunked, pick(Integer.toHexString(body.length), "zz", "-1", "ffffffffffffffff") + "\r\n");
        chunked.writeBytes(body);
        print(chunked, "\r\n0\r\n\r\n");
        return chunked.toByteArray();
    }

    private String pick(String... choices) {
        return any(choices);
    }

    @SafeVarargs
    private <T> T any(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void print(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
