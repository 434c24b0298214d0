package io.idem.applications.story;

import static io.idem.applications.story.RunningApplication.awaiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idem.ConfigurationException;
import io.idem.applications.shop.Ledger;
import io.idem.servers.RunningRedis;
import io.idem.servers.SharedServers;
import io.idem.servers.process.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Tells an application its stories, one after the other, and fails if one does not end as expected. */
public final class StoryTeller {

    /** The scope of every listener. */
    public static final String SCOPE = "payments";

    /** A number of deferrals that exceeds the attempts of a Kafka container for a failing record. */
    private static final int DEFERRALS = 12;

    private final Application application;
    private final Set<Story> stories;
    private final String name;
    private final List<String> payments = new ArrayList<>();

    /** Creates a teller for one application. */
    public StoryTeller(Application application, Set<Story> stories) {
        this.application = application;
        this.stories = stories;
        this.name = "shop-" + UUID.randomUUID();
    }

    /**
     * Tells all stories.
     *
     * @throws AssertionError if one does not end as expected; names the application
     */
    public void tell() {
        try {
            tellAll();
        } catch (AssertionError | RuntimeException failed) {
            throw new AssertionError(
                    application + " is not " + application.outcome() + ": " + failed.getMessage(), failed);
        }
    }

    private void tellAll() {
        try (Site site = application.transport().site(name)) {
            switch (application.outcome()) {
                case REFUSED -> refused(site);
                case STOPPED -> stopped(site);
                case PROTECTED, WARNED, NOT_PROTECTED -> lived(site);
            }
        }
    }

    private void refused(Site site) {
        Throwable failure =
                catchThrowable(() -> RunningApplication.start(application, site).close());
        assertThat(failure).as("%s must not start", application).isNotNull();
        List<Throwable> refusals = Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .filter(ConfigurationException.class::isInstance)
                .toList();
        assertThat(refusals).as("refusal in %s", failure).isNotEmpty();
        assertThat(refusals.get(0).getMessage()).contains(application.words());
    }

    private void stopped(Site site) {
        String payment = payment("stopped");
        try (RunningApplication running = RunningApplication.start(application, site)) {
            publish(site, payment);
            awaiting("a stop").until(() -> !running.stops().isEmpty());
            assertThat(running.stops()).contains(application.words());
            assertThat(running.ledger().effects(payment)).as("effects").isZero();
        }
        awaiting("the message at the broker").until(() -> site.unacknowledged() == 1);
        assertThat(site.deadLetters(payment)).as("dead letters").isZero();
    }

    private void lived(Site site) {
        if (stories.contains(Story.KILLED)) {
            kill(site);
        }
        List<String> warnings;
        try (StartWarnings starting = new StartWarnings();
                RunningApplication running = RunningApplication.start(application, site)) {
            warnings = starting.warnings();
            tell(running);
            application.proof().prove(running);
            awaitEmpty(site);
        }
        awaitEmpty(site);
        try (LedgerOutside redis = new LedgerOutside()) {
            payments.forEach(payment -> judge(redis.ledger(), site, payment));
        }
        judgeWarnings(warnings);
    }

    private void judgeWarnings(List<String> warnings) {
        if (application.outcome() == Outcome.WARNED) {
            assertThat(warnings)
                    .as("warnings at start")
                    .anySatisfy(warning -> assertThat(warning).contains(application.words()));
        }
    }

    private void tell(RunningApplication running) {
        if (stories.contains(Story.KILLED)) {
            awaitPaid(running, payments.get(0));
        }
        if (stories.contains(Story.DUPLICATE)) {
            duplicate(running);
        }
        if (stories.contains(Story.ELSEWHERE)) {
            elsewhere(running);
        }
        if (stories.contains(Story.FAILURE)) {
            failure(running);
        }
    }

    /** Waits until the application has settled everything that was published. */
    private static void awaitEmpty(Site site) {
        awaiting("an empty broker").until(() -> site.unacknowledged() == 0);
    }

    private void kill(Site site) {
        String payment = payment(Ledger.KILLED);
        try (LedgerOutside redis = new LedgerOutside();
                ChildJvm child = ApplicationMain.start(application, site)) {
            publish(site, payment);
            awaiting("work in the other process, which says " + child.log())
                    .until(() -> redis.ledger().attempts(payment) == 1);
            child.kill9();
        }
    }

    private void duplicate(RunningApplication running) {
        String payment = payment("duplicate");
        publish(running.site(), payment);
        publish(running.site(), payment);
        awaitPaid(running, payment);
        awaitEmpty(running.site());
        long before = running.duplicates();
        // The second copy may be in one batch with the first, and then does not count as a duplicate.
        publish(running.site(), payment);
        awaiting("the duplicate").until(() -> running.duplicates() > before);
    }

    private void elsewhere(RunningApplication running) {
        String payment = payment("elsewhere");
        long before = running.deferrals();
        try (WorkElsewhere unused = WorkElsewhere.begin(application, running, KeyPlace.key(application, payment))) {
            publish(running.site(), payment);
            awaiting("deferrals").until(() -> running.deferrals() - before >= DEFERRALS);
            assertThat(running.ledger().attempts(payment))
                    .as("attempts of %s", payment)
                    .isZero();
        }
        awaitPaid(running, payment);
    }

    private void failure(RunningApplication running) {
        String payment = payment(Ledger.FAILS_ONCE);
        publish(running.site(), payment);
        awaiting("an effect or a dead letter of " + payment)
                .until(() ->
                        running.ledger().effects(payment) + letters(running.ledger(), running.site(), payment) > 0);
    }

    private String payment(String kind) {
        String payment = kind + "-" + UUID.randomUUID();
        payments.add(payment);
        return payment;
    }

    private void publish(Site site, String payment) {
        site.publish(payment, KeyPlace.of(application).headers(payment));
    }

    private static void awaitPaid(RunningApplication running, String payment) {
        awaiting("an effect of " + payment).until(() -> running.ledger().effects(payment) > 0);
    }

    private static long letters(Ledger ledger, Site site, String payment) {
        return ledger.setAsides(payment) + site.deadLetters(payment);
    }

    private static void judge(Ledger ledger, Site site, String payment) {
        int effects = ledger.effects(payment);
        long letters = letters(ledger, site, payment);
        if (payment.startsWith(Ledger.FAILS_ONCE)) {
            assertThat(List.of(effects, letters))
                    .as("effects and dead letters of %s", payment)
                    .isIn(List.of(1, 0L), List.of(0, 1L));
        } else {
            assertThat(effects).as("effects of %s", payment).isOne();
            assertThat(letters).as("dead letters of %s", payment).isZero();
        }
    }

    /** Access to the ledger while no application runs in this JVM. */
    private static final class LedgerOutside implements AutoCloseable {

        private final LettuceConnectionFactory connections;

        LedgerOutside() {
            RunningRedis redis = SharedServers.redis();
            connections = new LettuceConnectionFactory(redis.host(), redis.port());
            connections.afterPropertiesSet();
            connections.start();
        }

        Ledger ledger() {
            return new Ledger(new StringRedisTemplate(connections));
        }

        @Override
        public void close() {
            connections.destroy();
        }
    }
}
