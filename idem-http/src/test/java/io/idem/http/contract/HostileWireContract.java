package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.http.contract.Client.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests whose framing is ambiguous, cut or a lie, as they arrive at the socket. In each, {@code KEY} stands for the test's key and
 * {@code OTHER} for a second one.
 */
public abstract class HostileWireContract {

    private static final String START = "POST /orders HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n";
    private static final Duration QUIET = Duration.ofMillis(50);
    private static final String JSON = "Content-Length: 2\r\n\r\n{}";

    private final App app;
    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();
    private final String other = Client.newKey();

    protected HostileWireContract(App shop) {
        this.app = shop;
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
        this.store = shop.bean(FaultyStore.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // two ends of one message
                "Idempotency-Key: KEY\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                "Idempotency-Key: KEY\r\nContent-Length: 2, 3\r\n\r\n{}",
                "Idempotency-Key: KEY\r\nContent-Length: -2\r\n\r\n{}",
                "Idempotency-Key: KEY\r\nContent-Length: 0x2\r\n\r\n{}",
                "Idempotency-Key: KEY\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
                "Idempotency-Key: KEY\r\nTransfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                // chunks that are none
                "Idempotency-Key: KEY\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                "Idempotency-Key: KEY\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
                "Idempotency-Key: KEY\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
                "Idempotency-Key: KEY\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}zz0\r\n\r\n",
                // headers that are none
                "Idempotency-Key : KEY\r\n" + JSON,
                "Idempotency-Key: KEY\r\n OTHER\r\n" + JSON,
                "Idempotency-Key: KE\u0000Y\r\n" + JSON,
                "Idempotency-Key\r\n" + JSON,
                ": KEY\r\n" + JSON,
                // keys that are none, or two
                "Idempotency-Key: KEY\r\nIdempotency-Key: OTHER\r\n" + JSON,
                "Idempotency-Key: KEY, OTHER\r\n" + JSON,
                "Idempotency-Key: \"KEY\r\n" + JSON,
                "Idempotency-Key: \"KEY\";a=1\r\n" + JSON,
                "Idempotency-Key: =?utf-8?q?KEY?=\u00ff\r\n" + JSON,
                "Idempotency-Key: \u00ef\u00bb\u00bfKEY\r\n" + JSON
            })
    void whatIsNoRequestIsRefusedAndTakesNoKey(String rest) {
        String answer = answerTo(START + "Connection: close\r\n" + rest);

        assertThat(status(answer)).as(answer).isIn(0, 400, 413, 501);
        // A server that has answered by itself may have handed the request on meanwhile.
        assertThat(client.post("/orders", Client.newKey()).status()).isEqualTo(201);
        await().during(QUIET).untilAsserted(() -> {
            assertThat(record(key)).isEmpty();
            assertThat(record(other)).isEmpty();
        });
        assertThat(runs.of(key) + runs.of(other)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Idempotency-Key: KEY\r\nContent-Length: 100\r\n\r\n{}",
                "Idempotency-Key: KEY\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n{}",
                "Idempotency-Key: KEY\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
                "Idempotency-Key: KEY\r\nContent-Length: 2",
                "Idempotency-Key: KE"
            })
    void aRequestThatIsCutTakesNoKey(String rest) throws IOException {
        try (RawConnection connection = new RawConnection(app)) {
            connection.send(named(START + rest));
            connection.endInput();

            assertThat(status(connection.answer())).isIn(0, 400);
        }
        assertThat(runs.of(key)).isZero();
        assertThat(client.post("/orders", key).status()).isEqualTo(201);
    }

    /** A proxy and the server may disagree where such a request ends; its key belongs to what the server took for it, and to nothing else. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX",
                "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding:\u000bchunked\r\nContent-Length: 2\r\n\r\n{}",
                "Transfer_Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
                "Content-Length: 2\r\n\r\n{}GARBAGE / HTTP/9.9\r\n\r\n",
                "Content-Length: 2\r\n\r\n{}POST /orders HTTP/1.1\r\nHost: shop\r\nIdempotency-Key: KEY\r\nContent-Length: 2\r\n\r\n[]",
                "Transfer-Encoding: chunked\r\n\r\n2;a=\"b\r\n{}\r\n0\r\nIdempotency-Key: OTHER\r\n\r\n",
                "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
                "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
                "Idempotency-Key: \"KEY\"\r\nContent-Length: 2\r\n\r\n{}",
                "Connection: Idempotency-Key\r\nContent-Length: 2\r\n\r\n{}"
            })
    void anAmbiguousRequestRunsAtMostOnceAndLeavesNoKeyInProgress(String rest) throws IOException {
        for (int time = 0; time < 2; time++) {
            try (RawConnection connection = new RawConnection(app)) {
                connection.send(named(START + "Idempotency-Key: KEY\r\n" + rest));
                assertThat(connection.status()).isIn(0, 100, 201, 400, 415, 417, 422, 501);
            }
        }
        assertThat(runs.of(key)).isLessThanOrEqualTo(1);
        assertThat(runs.of(other)).isZero();
        await().until(() -> record(key)
                .filter(found -> found.state() == RecordState.PENDING)
                .isEmpty());
    }

    /** What reaches the handler comes through the filter, however its path is spelled. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders/",
                "//orders",
                "/./orders",
                "/x/../orders",
                "/%6frders",
                "/%6Frders",
                "/orders%2f",
                "/orders%20",
                "/orders%00",
                "/orders;a=b",
                "/;a=b/orders",
                "/orders?a",
                "/orders?%",
                "/orders#a",
                "/ORDERS",
                "http://shop/orders",
                "http://shop//orders",
                "http://[/orders",
                "orders",
                "*"
            })
    void noSpellingOfAPathLeadsAroundTheFilter(String path) {
        for (int time = 0; time < 2; time++) {
            String answer = answerTo("POST " + path
                    + " HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nConnection: close\r\n"
                    + "Idempotency-Key: KEY\r\n" + JSON);

            assertThat(status(answer)).as(answer).isLessThan(500);
        }
        assertThat(runs.of(key)).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json;charset=no-such",
                "application/json;charset=utf-16",
                "application/json;charset=\"",
                "text/plain;charset=utf-7",
                "multipart/form-data",
                "application/x-www-form-urlencoded;charset=utf-16",
                "a",
                "/"
            })
    void aBodyThatIsNotWhatItsTypeSaysIsNoServerErrorAndRunsAtMostOnce(String type) {
        byte[] body = {'{', (byte) 0xff, (byte) 0xfe, (byte) 0xd8, 0, (byte) 0xc0, (byte) 0x80, '}'};
        for (int time = 0; time < 2; time++) {
            Answer answer = client.send(client.request("/orders")
                    .setHeader("Content-Type", type)
                    .header(Client.KEY, key)
                    .POST(BodyPublishers.ofByteArray(body)));

            assertThat(answer.status()).as(answer.body()).isLessThan(500);
        }
        assertThat(runs.of(key)).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/*", "application/*+json;charset=utf-8", "*"})
    void aContentTypeThatIsARangeIsRefusedAndTakesNoKey(String range) {
        Answer answer = client.send(client.request("/orders")
                .setHeader("Content-Type", range)
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString("{}")));

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(runs.of(key)).isZero();
        assertThat(record(key)).isEmpty();
    }

    /** Bytes are compared as they were sent: what they stand for is the handler's business. */
    @Test
    void aCompressedBodyIsAnotherOneThanItsContent() {
        byte[] compressed = gzip("{}");

        Answer first = post(compressed);
        Answer again = post(compressed);

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.replayed()).isTrue();
        assertThat(again.bytes()).isEqualTo(first.bytes());
        assertThat(client.post("/orders", key).status()).isEqualTo(422);
    }

    private Answer post(byte[] compressed) {
        return client.send(client.request("/orders")
                .header(Client.KEY, key)
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(compressed)));
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return compressed.toByteArray();
    }

    private String answerTo(String request) {
        try (RawConnection connection = new RawConnection(app)) {
            connection.send(named(request));
            return connection.answer();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private String named(String request) {
        return request.replace("KEY", key).replace("OTHER", other);
    }

    private static int status(String answer) {
        return answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
    }

    private Optional<RecordSnapshot> record(String ofKey) {
        return store.inspect(new RecordId(IdempotencyKey.of(ofKey), new Scope("http.shop")));
    }
}
