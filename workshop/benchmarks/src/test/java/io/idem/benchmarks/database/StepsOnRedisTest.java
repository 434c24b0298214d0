package io.idem.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.benchmarks.Servers;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Both sides call the provider as often as the other. */
class StepsOnRedisTest {

    private static Servers servers;

    private final Provider provider = new Provider();
    private final UUID key = UUID.randomUUID();

    @BeforeAll
    static void startServers() {
        servers = new Servers();
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    @Test
    void workWithStepsCallsTheProviderOnceForEach() throws Exception {
        try (TwoSteps steps = new TwoSteps(servers.settings(), provider)) {
            steps.message(key);
            steps.message(key);
        }

        assertThat(provider.calls()).isEqualTo(2);
    }

    @Test
    void theHandWrittenWorkCallsTheProviderOnceForEach() {
        try (HandWrittenSteps byHand = byHand()) {
            byHand.message(key);
            byHand.message(key);
        }

        assertThat(provider.calls()).isEqualTo(2);
    }

    @Test
    void theHandWrittenWorkGoesOnBehindACallThatWasAnswered() {
        servers.redis().command("HSET", HandWrittenSteps.answers(key), "charge", "receipt");

        try (HandWrittenSteps byHand = byHand()) {
            byHand.message(key);
        }

        assertThat(provider.calls()).isOne();
    }

    @Test
    void theHandWrittenWorkForgetsItsAnswersAtTheEnd() {
        try (HandWrittenSteps byHand = byHand()) {
            byHand.message(key);
        }

        assertThat(servers.redis().command("EXISTS", HandWrittenSteps.answers(key)))
                .isEqualTo("0");
        assertThat(servers.redis().command("GET", HandWrittenSteps.order(key))).isEqualTo("done");
    }

    private HandWrittenSteps byHand() {
        return new HandWrittenSteps(servers.redis().uri(), provider);
    }
}
