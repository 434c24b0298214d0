package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.Client.Answer;
import io.idem.http.internal.admission.WaitingRoom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Duplicates that wait while the application closes, which finishes running requests first. */
@Tag("servers")
public abstract class ClosingWaitContract {

    private final String key = Client.newKey();

    /** Starts an application whose route {@code /patient/run} lets duplicates wait. */
    protected abstract App start();

    @Test
    void aDuplicateThatWaitsIsRefusedWhenTheApplicationCloses() {
        try (App app = start()) {
            Runs runs = app.bean(Runs.class);
            Client client = app.client();
            runs.shut(key);
            CompletableFuture<Answer> first = client.postAsync("/patient/run", key);
            await().until(() -> runs.of(key) == 1);
            CompletableFuture<Answer> second = client.postAsync("/patient/run", key);
            await().until(() -> app.bean(WaitingRoom.class).waiting() == 1);

            // Not in the common pool, which the client needs too and which may have one thread.
            CompletableFuture<Void> closing =
                    CompletableFuture.runAsync(app::close, close -> new Thread(close).start());

            assertThat(second.join().status()).isEqualTo(409);
            assertThat(first).isNotDone();
            runs.open(key);
            assertThat(first.join().status()).isEqualTo(200);
            closing.join();
        }
    }
}
