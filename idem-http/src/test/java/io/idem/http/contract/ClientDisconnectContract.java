package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H-06: a client that hangs up does not release the key. */
public abstract class ClientDisconnectContract {

    private final App app;
    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected ClientDisconnectContract(App shop) {
        this.app = shop;
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders",
                "/orders/callable",
                "/orders/future",
                "/orders/large?size=60000",
                "/orders/large?size=20000000",
                "/orders/streaming",
                "/orders/events"
            })
    void theRetryOfAClientThatHungUpIsAReplay(String path) throws IOException {
        runs.shut(key);
        try (RawConnection connection = new RawConnection(app)) {
            connection.send("POST " + path + " HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n"
                    + "Idempotency-Key: " + key + "\r\nContent-Length: 2\r\n\r\n{}");
            await().until(() -> runs.of(key) == 1);
            connection.reset();
        }
        runs.open(key);

        await().untilAsserted(
                        () -> assertThat(client.post(path, key).replayed()).isTrue());
        assertThat(runs.of(key)).isEqualTo(1);
    }
}
