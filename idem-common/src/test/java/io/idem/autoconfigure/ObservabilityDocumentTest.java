package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEvent.StepEnded.How;
import io.idem.IdempotencyEvent.TakeoverDecided.Decision;
import io.idem.IdempotencyEventListener;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.ResultLoss;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** docs/observability.md says what an application registers, and the other way round. */
class ObservabilityDocumentTest {

    private static final Scope SCOPE = new Scope("payments");
    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k"), SCOPE);
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdemAutoConfiguration.class,
                    IdemCacheAutoConfiguration.class,
                    IdemObservabilityAutoConfiguration.class))
            .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
            .withBean(ScopeRegistry.class, ObservabilityDocumentTest::registry);
    private final ApplicationContextRunner measured = runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    private static ScopeRegistry registry() {
        ScopeRegistry registry = new ScopeRegistry(InMemoryIdempotencyStore::new);
        registry.register(SCOPE, "a test");
        return registry;
    }

    @Test
    void everyMeterOfTheEngineIsThereWithItsTypeAndItsTagsAndNoOther() throws Exception {
        Set<String> documented = documented("### The engine");
        measured.withPropertyValues("idem.cache.enabled=true").run(context -> {
            run(context, "k");
            everyEvent().forEach(event -> tell(context, event));

            assertThat(registered(context)).isEqualTo(documented);
        });
    }

    @Test
    void whatAlarmsIsThereFromTheStart() {
        measured.run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(List.of("double.effects.suspected", "leases.lost", "takeovers", "records.lost"))
                    .allSatisfy(name -> assertThat(meters.get("idem." + name)
                                    .tag("scope", "payments")
                                    .counter()
                                    .count())
                            .isZero());
            assertThat(meters.get("idem.records.lost")
                            .tag("state", "absent")
                            .counter()
                            .count())
                    .isZero();
        });
    }

    @Test
    void failuresOfTheStoreAreTimedFromTheStart() {
        measured.run(context -> assertThat(context.getBean(MeterRegistry.class)
                        .get("idem.store.calls")
                        .tags("operation", "complete", "result", "unavailable")
                        .timer()
                        .count())
                .isZero());
    }

    @Test
    void executionsAreTimedByWhatBecameOfThem() {
        measured.run(context -> {
            run(context, "k-1");
            run(context, "k-1");

            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("idem.execution")
                            .tags("scope", "payments", "transport", "direct", "grant", "fresh", "outcome", "executed")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("idem.execution")
                            .tags("grant", "none", "outcome", "replayed")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("idem.store.calls")
                            .tags("operation", "acquire", "result", "ok")
                            .timer()
                            .count())
                    .isEqualTo(2);
        });
    }

    @Test
    void stepsAreTimedByNameAndByHowTheyEnded() {
        Lease lease = lease();
        measured.run(context -> {
            for (How how : How.values()) {
                tell(context, new IdempotencyEvent.StepEnded(lease, "charge", how, Duration.ofMillis(40)));
            }
            tell(context, new IdempotencyEvent.StepEnded(lease, "charge", How.RAN, Duration.ofMillis(60)));
            tell(context, new IdempotencyEvent.StepEnded(lease, "label", How.REMEMBERED, Duration.ZERO));

            assertThat(step(context, "charge", "ran").count()).isEqualTo(2);
            assertThat(step(context, "charge", "ran").totalTime(TimeUnit.MILLISECONDS))
                    .isEqualTo(100);
            assertThat(step(context, "charge", "result-not-kept").count()).isEqualTo(1);
            assertThat(step(context, "label", "remembered").totalTime(TimeUnit.MILLISECONDS))
                    .isZero();
            assertThat(context.getBean(MeterRegistry.class).find("idem.step").timers())
                    .extracting(timer -> timer.getId().getTag("how"))
                    .allSatisfy(how -> assertThat(stepRow()).contains("`" + how + "`"));
        });
    }

    private static Timer step(ApplicationContext context, String step, String how) {
        return context.getBean(MeterRegistry.class)
                .get("idem.step")
                .tags("scope", "payments", "step", step, "how", how)
                .timer();
    }

    private static String stepRow() throws IOException {
        return page().lines()
                .filter(line -> line.startsWith("| `how`"))
                .findFirst()
                .orElse("");
    }

    @Test
    void nothingIsThereWithoutARegistryOrWithTheSettingOrWithoutMicrometer() {
        runner.run(context -> {
            run(context, "k");
            assertThat(context.getBean(ExecutionObservations.class).registry().isNoop())
                    .isTrue();
        });
        measured.withPropertyValues("idem.observability.enabled=false").run(context -> {
            run(context, "k");
            assertThat(registered(context)).isEmpty();
        });
        runner.withClassLoader(new FilteredClassLoader("io.micrometer")).run(context -> run(context, "k"));
    }

    @Test
    void everySettingIsThere() throws Exception {
        assertThat(page())
                .contains(
                        "`idem.observability.enabled`",
                        "`idem.observability.log-fields`",
                        "`idem.observability.start-up-report`");
    }

    private static void run(ApplicationContext context, String key) throws Exception {
        Operation operation = Operation.of(IdempotencyKey.of(key), SCOPE, context.getBean(ExecutionPolicy.class));
        var unused = context.getBean(IdempotentExecutor.class)
                .execute(
                        operation,
                        work -> new WorkResult.Complete<>(
                                work.step("charge", String.class, step -> "done"), StoredResult.NONE));
    }

    private static void tell(ApplicationContext context, IdempotencyEvent event) {
        context.getBeansOfType(IdempotencyEventListener.class).values().forEach(listener -> listener.on(event));
    }

    private static Lease lease() {
        return new Lease(
                RECORD, OwnerToken.random(new SecureRandom()), 1, 2, Duration.ofSeconds(30), Duration.ofHours(1));
    }

    private static Stream<IdempotencyEvent> everyEvent() {
        Lease lease = lease();
        return Stream.of(
                new IdempotencyEvent.Claimed(RECORD, new Claim.Granted(lease, Claim.GrantKind.TAKEOVER)),
                new IdempotencyEvent.Settled(lease, RecordState.COMPLETED, ""),
                new IdempotencyEvent.LeaseLost(lease),
                new IdempotencyEvent.DoubleEffectSuspected(lease),
                new IdempotencyEvent.RecordLost(lease, RecordState.ABSENT),
                new IdempotencyEvent.ResultOmitted(RECORD, ResultLoss.TOO_LARGE),
                new IdempotencyEvent.FoundInInbox(lease),
                new IdempotencyEvent.TakeoverDecided(lease, Decision.REJECTED),
                new IdempotencyEvent.StepEnded(lease, "charge", How.RAN, Duration.ofMillis(40)));
    }

    private static Set<String> registered(ApplicationContext context) {
        return context.getBean(MeterRegistry.class).getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith("idem."))
                .map(id -> row(
                        id.getName(),
                        id.getType().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        id.getTags().stream().map(Tag::getKey)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> documented(String heading) throws Exception {
        String section = page().substring(page().indexOf(heading));
        return section.substring(0, section.indexOf("\n#", 5))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|"))
                .map(cells -> row(
                        cells[1].strip().replace("`", ""),
                        cells[2].strip().replaceAll(",.*", ""),
                        CODE.matcher(cells[3]).results().map(tag -> tag.group(1))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String row(String name, String type, Stream<String> tags) {
        return name + " " + type + " " + tags.sorted().toList();
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "observability.md"));
    }
}
