package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.Payload;

/** Two beans of one class, each with a group and a scope of its own. */
@Tag("servers")
class ScopePerKafkaListenerTest {

    @Test
    void bothActOnARecordAndEachKnowsItsOwnDuplicates() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Two.class).start()) {
            application.send("k1", "one");
            application.send("k1", "again");
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> application.committed(application.topic() + "-north", 0) == 2
                            && application.committed(application.topic() + "-south", 0) == 2);

            assertThat(application.journal().entries()).containsExactlyInAnyOrder("north one", "south one");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {

        @Bean
        Reader north(Journal journal) {
            return new Reader("north", journal);
        }

        @Bean
        Reader south(Journal journal) {
            return new Reader("south", journal);
        }
    }

    static class Reader {

        private final String scope;
        private final Journal journal;

        Reader(String scope, Journal journal) {
            this.scope = scope;
            this.journal = journal;
        }

        public String getScope() {
            return scope;
        }

        @KafkaListener(topics = "${test.topic}", groupId = "${test.topic}-#{__listener.scope}")
        @IdempotentListener(scope = "#{__listener.scope}")
        void on(@Payload String body) {
            journal.write(scope + " " + body);
        }
    }
}
