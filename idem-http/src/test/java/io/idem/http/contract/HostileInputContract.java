package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes that no well-behaved client sends: none yields a server error, none is run, none spoils a record. */
public abstract class HostileInputContract {

    private static final int REQUESTS = 2_000;

    private final App app;
    private final Client client;

    protected HostileInputContract(App shop) {
        this.app = shop;
        this.client = shop.client();
    }

    @Test
    void malformedKeysHeadersAndBodiesYieldNoServerErrorAndSpoilNothing() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String key = Client.newKey();
        Answer before = client.post("/orders", key);
        for (int i = 0; i < REQUESTS; i++) {
            byte[] request = hostileRequest(random, key);
            assertThat(statusOf(request))
                    .as("seed %d, request %d: %s", seed, i, new String(request, StandardCharsets.ISO_8859_1))
                    .isLessThan(500);
        }
        assertThat(client.post("/orders", key).bytes()).as("seed %d", seed).isEqualTo(before.bytes());
    }

    private int statusOf(byte[] request) throws IOException {
        try (RawConnection connection = new RawConnection(app)) {
            connection.send(request);
            return connection.status();
        }
    }

    private static byte[] hostileRequest(Random random, String key) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        byte[] body = body(random);
        print(
                request,
                "POST " + pick(random, "/orders", "/orders/form", "/orders/upload", "/orders/optional", "/orders/%")
                        + " HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n");
        print(
                request,
                "Content-Type: "
                        + pick(
                                random,
                                "application/json",
                                "application/x-www-form-urlencoded",
                                "application/x-www-form-urlencoded; charset=nope",
                                "application/json; charset=\"",
                                "multipart/form-data",
                                "multipart/form-data; boundary=b",
                                "multipart/mixed; boundary=\"b",
                                "/;;")
                        + "\r\n");
        for (int headers = random.nextInt(3); headers >= 0; headers--) {
            print(request, pick(random, "Idempotency-Key", "idempotency-KEY") + ":");
            request.write(keyBytes(random, key));
            print(request, "\r\n");
        }
        print(request, "Content-Length: " + body.length + "\r\n\r\n");
        request.write(body);
        return request.toByteArray();
    }

    private static byte[] keyBytes(Random random, String key) {
        String mutated = switch (random.nextInt(6)) {
            case 0 -> "\"" + key;
            case 1 -> key + "\\";
            case 2 -> key + ", " + key;
            case 3 -> "\"" + key + "\";v=" + random.nextInt();
            case 4 -> "k".repeat(random.nextInt(3000));
            default -> "";
        };
        byte[] bytes = (" " + mutated + "    ").getBytes(StandardCharsets.ISO_8859_1);
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            bytes[random.nextInt(bytes.length)] = noLineEnd((byte) random.nextInt(256));
        }
        return bytes;
    }

    private static byte noLineEnd(byte b) {
        return b == '\r' || b == '\n' ? 0 : b;
    }

    private static byte[] body(Random random) {
        byte[] body = new byte[random.nextInt(10) == 0 ? 3000 : random.nextInt(40)];
        random.nextBytes(body);
        byte[] start = pick(random, "", "item=%", "--b\r\nContent-Disposition: form-data; name=\"", "{\"a\":")
                .getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(start, 0, body, 0, Math.min(start.length, body.length));
        return body;
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static void print(ByteArrayOutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
