package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.Payload;

/** An application's own annotation that makes a method an idempotent Kafka listener. */
@Tag("servers")
class OwnKafkaAnnotationTest {

    @Test
    void workRunsOnceForItsKey() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Payments.class).start()) {
            application.send("k1", "one");
            application.send("k1", "again");
            await().atMost(Duration.ofMinutes(3)).until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one for k1 of payments");
        }
    }

    @KafkaListener
    @IdempotentListener(scope = "replaced", maxAttempts = "7")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Participant {

        @AliasFor(annotation = KafkaListener.class, attribute = "topics")
        String[] topics();

        @AliasFor(annotation = IdempotentListener.class, attribute = "scope")
        String name();
    }

    static class Payments {

        private final Journal journal;

        Payments(Journal journal) {
            this.journal = journal;
        }

        @Participant(topics = "${test.topic}", name = KafkaTestApplication.SCOPE)
        void pay(@Payload String body, IdempotencyContext context) {
            journal.write(body + " for " + context.key().value() + " of "
                    + context.scope().name());
        }
    }
}
