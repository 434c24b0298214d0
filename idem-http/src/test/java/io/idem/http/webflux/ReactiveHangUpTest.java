package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.RawConnection;
import io.idem.http.contract.Runs;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

/** H-06, where a reactive server differs: it cancels what its client no longer waits for. */
@AppTest(value = ReactiveShop.class, type = WebApplicationType.REACTIVE)
class ReactiveHangUpTest {

    private final App app;
    private final Client client;
    private final Runs runs;
    private final HangUps hangUps;
    private final String key = Client.newKey();

    ReactiveHangUpTest(App shop) {
        this.app = shop;
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
        this.hangUps = shop.bean(HangUps.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orders", "/orders/no-content", "/orders/thrown/404", "/orders/large?size=100000"})
    void aHandlerWhoseRequestWasCancelledGoesOnAndIsRecorded(String path) throws IOException {
        hangUpWhileRunning(path);
        await().until(() -> hangUps.of(key));
        assertThat(client.post(path, key).status()).isEqualTo(409);
        runs.open(key);

        await().untilAsserted(
                        () -> assertThat(client.post(path, key).replayed()).isTrue());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    /** Nobody else would ever end it. The server cancels it, or says that writing failed. */
    @ParameterizedTest
    @ValueSource(strings = {"/orders/events", "/orders/streaming"})
    void aStreamWhoseClientHungUpEndsAndIsRecorded(String path) throws IOException {
        hangUpWhileRunning(path);

        await().untilAsserted(
                        () -> assertThat(client.post(path, key).replayed()).isTrue());
        assertThat(runs.of(key)).isEqualTo(1);
        runs.open(key);
    }

    private void hangUpWhileRunning(String path) throws IOException {
        runs.shut(key);
        try (RawConnection connection = new RawConnection(app)) {
            connection.send("POST " + path + " HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n"
                    + "Idempotency-Key: " + key + "\r\nContent-Length: 2\r\n\r\n{}");
            await().until(() -> runs.of(key) == 1);
            connection.reset();
        }
    }
}
