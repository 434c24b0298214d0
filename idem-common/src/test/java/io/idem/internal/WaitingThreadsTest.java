package io.idem.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The threads that wait for servers. */
class WaitingThreadsTest {

    @Test
    void tasksThatWaitWhenTheThreadsAreClosedStillRun() {
        WaitingThreads threads = new WaitingThreads("waiting", 1);
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        threads.execute(() -> awaited(busy));
        threads.execute(() -> answer.complete(true));

        threads.close();
        busy.countDown();

        assertThat(answer).succeedsWithin(Duration.ofSeconds(30));
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
