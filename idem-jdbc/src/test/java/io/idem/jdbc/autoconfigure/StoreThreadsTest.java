package io.idem.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The threads that wait for PostgreSQL. */
class StoreThreadsTest {

    @Test
    void tasksThatWaitWhenTheThreadsAreClosedStillRun() {
        StoreThreads threads = new StoreThreads(1);
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        threads.execute(() -> awaited(busy));
        threads.execute(() -> answer.complete(true));

        threads.close();
        busy.countDown();

        assertThat(answer).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void halfOfThePoolIsLeftToOthers() {
        assertThat(sizeBeside(10)).isEqualTo(5);
        assertThat(sizeBeside(1)).isEqualTo(1);
        assertThat(sizeBeside(-1)).isEqualTo(4);
        assertThat(sizeBeside(null)).isEqualTo(4);
    }

    private static int sizeBeside(@Nullable Integer connections) {
        try (StoreThreads threads = StoreThreads.besideOthersIn(connections)) {
            return threads.size();
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
