package io.idem.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class RepetitionTest {

    @Test
    void anErrorOfARunIsLoggedAndTheNextRunFollows(CapturedOutput output) {
        AtomicInteger runs = new AtomicInteger();
        Repetition repetition = new Repetition("idem-repeated", Duration.ZERO, Duration.ofMillis(5)) {
            @Override
            protected void run() {
                runs.incrementAndGet();
                throw new OutOfMemoryError("for this test");
            }
        };

        repetition.start();
        try {
            await().until(() -> runs.get() >= 3);
        } finally {
            repetition.stop();
        }
        assertThat(output).contains("A task of idem-repeated failed", "for this test");
    }
}
