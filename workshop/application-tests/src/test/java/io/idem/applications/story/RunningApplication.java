package io.idem.applications.story;

import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.applications.shop.Ledger;
import io.idem.applications.story.Observed.Deliveries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.core.ConditionFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that has started, with its queue, topic or sender. */
public final class RunningApplication implements AutoCloseable {

    /** The time limit of every wait, long enough for a busy machine. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Settings of Kafka's listeners beside Spring Cloud Stream, whose binder makes bytes the default. */
    private static final String[] TEXTS = Stream.of(
                    "producer.key-", "producer.value-", "consumer.key-", "consumer.value-")
            .map(side -> "--spring.kafka." + side
                    + (side.startsWith("producer")
                            ? "serializer=" + StringSerializer.class.getName()
                            : "deserializer=" + StringDeserializer.class.getName()))
            .toArray(String[]::new);

    private static final String EXCLUDED = "spring.autoconfigure.exclude";

    /** Auto-configurations that come with Spring Cloud Stream; applications without functions do not have them. */
    private static final List<String> OF_CLOUD_STREAM =
            ImportCandidates.load(AutoConfiguration.class, RunningApplication.class.getClassLoader())
                    .getCandidates()
                    .stream()
                    .filter(name -> Stream.of(
                                    "org.springframework.cloud.",
                                    "org.springframework.boot.integration.",
                                    "io.idem.cloudstream.")
                            .anyMatch(name::startsWith))
                    .toList();

    private final ConfigurableApplicationContext context;
    private final Site site;
    private final Application application;

    private RunningApplication(ConfigurableApplicationContext context, Site site, Application application) {
        this.context = context;
        this.site = site;
        this.application = application;
    }

    static RunningApplication start(Application application, Site site) {
        return new RunningApplication(
                run(application.sources(), Servers.settings(application, site)), site, application);
    }

    /** Starts an application with these settings as defaults, which its classes may override. */
    static ConfigurableApplicationContext run(List<Class<?>> sources, Map<String, String> settings) {
        List<Class<?>> all = new ArrayList<>(sources);
        all.add(Observed.class);
        boolean functions = settings.containsKey("spring.cloud.function.definition");
        return Objects.requireNonNull(new SpringApplicationBuilder(all.toArray(Class<?>[]::new))
                .web(settings.containsKey("server.port") ? WebApplicationType.SERVLET : WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties(Map.<String, Object>copyOf(functions ? settings : withoutCloudStream(settings)))
                .run(functions ? new String[0] : TEXTS));
    }

    private static Map<String, String> withoutCloudStream(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.merge(EXCLUDED, String.join(",", OF_CLOUD_STREAM), (own, streams) -> own + "," + streams);
        return all;
    }

    /** Returns its queue, topic or sender. */
    public Site site() {
        return site;
    }

    /** Returns its effects. */
    public Ledger ledger() {
        return bean(Ledger.class);
    }

    /** Returns a bean by its type. */
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Returns a bean by its name and type. */
    public <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    /** Returns how many duplicates idem has acknowledged or answered so far. */
    public long duplicates() {
        return bean(Deliveries.class).duplicates(hasListener());
    }

    /** Returns how often idem has deferred a message, or refused a call, because its key was in progress. */
    long deferrals() {
        return bean(Deliveries.class).deferrals(hasListener());
    }

    private boolean hasListener() {
        return !application.has(Trait.NO_LISTENER);
    }

    /** Returns how often a claim found its key in progress. */
    public long claimsInProgress() {
        return bean(Deliveries.class).deferrals(false);
    }

    /** Runs an action while another owner works on a payment, without an effect. */
    public void whileElsewhere(String payment, Runnable action) {
        try (WorkElsewhere unused = WorkElsewhere.begin(application, this, IdempotencyKey.of(payment))) {
            action.run();
        }
    }

    /** Returns the reason why idem reports a listener as stopped; empty if it does not. */
    String stops() {
        var health = Objects.requireNonNull(
                bean("idemListenersHealthIndicator", HealthIndicator.class).health());
        return Status.DOWN.equals(health.getStatus()) ? String.valueOf(health.getDetails()) : "";
    }

    /** Begins a wait with the common time limit. */
    public static ConditionFactory awaiting(String what) {
        return await(what).atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50));
    }

    @Override
    public void close() {
        context.close();
    }
}
