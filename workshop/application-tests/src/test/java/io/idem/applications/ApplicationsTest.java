package io.idem.applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.idem.applications.story.Application;
import io.idem.applications.story.StoryTeller;
import io.idem.applications.story.Trait;
import io.idem.servers.AmqpServers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every application has the outcome that it declares. */
@Tag("servers")
class ApplicationsTest {

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationsTest.class);
    private static final Selection SELECTION = Selection.ofThisRun();
    private static final AtomicInteger SKIPPED = new AtomicInteger();
    private static final Results RESULTS = new Results();
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    static List<Application> applications() {
        return SELECTION.applications();
    }

    @AfterAll
    static void report() {
        if (SKIPPED.get() > 0) {
            System.err.println("!!! SKIPPED: " + SKIPPED.get() + " applications for lack of a real RabbitMQ");
        }
        if (Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS) {
            System.err.println("!!! SKIPPED: virtual threads, for lack of Java " + FIRST_WITH_VIRTUAL_THREADS);
        }
        System.out.println(RESULTS.summary(SELECTION));
        RESULTS.write(Path.of(System.getProperty("applications.result", "target/applications.md")), SELECTION);
        if (Boolean.getBoolean("applications.publish") && RESULTS.allAsTheyMustBe()) {
            OutcomeTable.publish(RESULTS.summary(SELECTION));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("applications")
    @Execution(ExecutionMode.CONCURRENT)
    void becomesWhatItSays(Application application) {
        boolean lacksRabbitMq = application.has(Trait.REAL_RABBITMQ)
                && AmqpServers.realRabbitMq().isEmpty();
        if (lacksRabbitMq) {
            SKIPPED.incrementAndGet();
            LOG.warn("SKIPPED: {} needs a real RabbitMQ, set IDEM_AMQP_URI to one", application);
        }
        assumeFalse(lacksRabbitMq, "SKIPPED: no real RabbitMQ here");
        long begun = System.nanoTime();
        String verdict = "";
        try {
            new StoryTeller(application, SELECTION.stories(application)).tell();
        } catch (AssertionError failed) {
            verdict = String.valueOf(failed.getMessage());
            throw failed;
        } finally {
            RESULTS.add(application, System.nanoTime() - begun, verdict);
        }
    }

    @Test
    void noTwoApplicationsHaveOneName() {
        assertThat(Suite.all()).extracting(Application::name).doesNotHaveDuplicates();
    }
}
