package io.idem.http.contract;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Makes requests with several faults each, and some with none, that carry one key of another tenant. Every one ends. */
final class HostileRequest {

    private final Random random;
    private final String key;

    HostileRequest(Random random, String key) {
        this.random = random;
        this.key = key;
    }

    byte[] next() {
        byte[] body = body();
        boolean chunked = random.nextInt(8) == 0;
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        String path = path();
        print(request, method(path) + " " + path + " HTTP/1.1\r\n");
        print(request, "Host: shop\r\nConnection: close\r\n");
        print(
                request,
                ApiKeys.HEADER + ": " + pick("key-of-umbrella", "key-of-umbrella", "", "acme", "key-of-acme\u0000")
                        + "\r\n");
        print(request, "Content-Type: " + contentType() + "\r\n");
        for (int headers = random.nextInt(3); headers >= 0; headers--) {
            print(request, pick("Idempotency-Key", "idempotency-KEY", "Idempotency-Key ") + ":");
            request.writeBytes(keyBytes());
            print(request, "\r\n");
        }
        print(request, extraHeader());
        print(request, chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: " + body.length + "\r\n\r\n");
        request.writeBytes(chunked ? chunks(body) : body);
        return request.toByteArray();
    }

    /** Where no route is, Spring's FormContentFilter answers malformed forms of a PATCH with 500: nothing that idem speaks for. */
    private String method(String path) {
        boolean nobodys = path.startsWith("//") || path.contains("%2e") || path.contains("..");
        return nobodys ? "POST" : pick("POST", "POST", "POST", "PATCH");
    }

    private String path() {
        return pick(
                "/orders",
                "/orders",
                "/orders/form",
                "/orders/upload",
                "/orders/optional",
                "/orders/%",
                "/orders/%2e%2e/orders",
                "/orders;a=b",
                "/orders/..;/orders",
                "//orders",
                "/orders?%",
                "/orders?a=%ff%00",
                "/orders/form?item=%zz");
    }

    private String contentType() {
        return pick(
                "application/json",
                "application/json",
                "application/x-www-form-urlencoded",
                "application/x-www-form-urlencoded; charset=nope",
                "application/x-www-form-urlencoded; charset=utf-16",
                "application/json; charset=\"",
                "multipart/form-data",
                "multipart/form-data; boundary=b",
                "multipart/mixed; boundary=\"b",
                "/;;",
                "");
    }

    private String extraHeader() {
        return pick(
                "",
                "",
                "Content-Encoding: gzip\r\n",
                "Expect: 100-continue\r\n",
                "Origin: null\r\n",
                "Origin: http://[\r\n",
                "Accept: nothing/at;all=\"\r\n",
                "Accept-Language: \u00ff\r\n",
                "X-Forwarded-For: 127.0.0.1\r\nForwarded: for=\"[\r\n",
                "Cookie: =;;=\u0001\r\n",
                "If-None-Match: *\r\nRange: bytes=9-1\r\n",
                "X-Long: " + "x".repeat(3_000) + "\r\n");
    }

    private byte[] keyBytes() {
        String mutated = pick(
                key,
                "\"" + key + "\"",
                "\"" + key,
                key + "\\",
                key + ", " + key,
                "\"" + key + "\";v=" + random.nextInt(),
                "k".repeat(random.nextInt(3000)),
                "");
        byte[] bytes = (" " + mutated + "    ").getBytes(StandardCharsets.ISO_8859_1);
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            bytes[random.nextInt(bytes.length)] = noLineEnd((byte) random.nextInt(256));
        }
        return bytes;
    }

    private static byte noLineEnd(byte b) {
        return b == '\r' || b == '\n' ? 0 : b;
    }

    private byte[] body() {
        byte[] body = new byte[random.nextInt(10) == 0 ? 3000 : random.nextInt(40)];
        random.nextBytes(body);
        byte[] start = pick(
                        "",
                        "{}",
                        "item=%",
                        "item=a&note=%",
                        "--b\r\nContent-Disposition: form-data; name=\"",
                        "{\"a\":")
                .getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(start, 0, body, 0, Math.min(start.length, body.length));
        return body;
    }

    /** A chunked body, or one whose sizes are no numbers. */
    private byte[] chunks(byte[] body) {
        ByteArrayOutputStream chunked = new ByteArrayOutputStream();
        print(chunked, pick(Integer.toHexString(body.length), "zz", "-1", "ffffffffffffffff") + "\r\n");
        chunked.writeBytes(body);
        print(chunked, "\r\n0\r\n\r\n");
        return chunked.toByteArray();
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static void print(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
