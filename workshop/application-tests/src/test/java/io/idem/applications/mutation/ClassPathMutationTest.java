package io.idem.applications.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An application is refused, stops with its message kept, or is protected, whichever name of a framework idem misses. */
@Tag("extended")
@Tag("servers")
class ClassPathMutationTest {

    private static final Frameworks FRAMEWORKS = Frameworks.ofThisJvm();
    private static final Collection<Mutation> HOOKS = Hooks.of(FRAMEWORKS);
    private static final Map<Row, Future<Verdict>> STORIES = new LinkedHashMap<>();
    private static final Map<Row, Verdict> TOLD = new ConcurrentHashMap<>();
    private static final ExecutorService TELLERS = Executors.newFixedThreadPool(4);
    private static final int FEWEST = 60;

    static List<Row> rows() {
        return Row.selected(HOOKS);
    }

    /** Rows that hang hold up no others. A repetition in the same JVM finds the verdicts. */
    @BeforeAll
    static void begin() {
        if (!STORIES.isEmpty()) {
            return;
        }
        Stream.concat(
                        Arrays.stream(Transport.values())
                                .flatMap(transport -> Stream.of(unchanged(transport), withoutIdem(transport))),
                        rows().stream())
                .forEach(row -> STORIES.put(row, TELLERS.submit(() -> tell(row))));
    }

    @AfterAll
    static void report() {
        TELLERS.shutdown();
        Report.write(Path.of("target", "class-path-mutation.md"), TOLD);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void noMissingNameIsSilent(Row row) throws Exception {
        Verdict verdict = verdict(row);
        assertThat(verdict.outcome().isAllowed()).as("%s", verdict).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void theUnchangedApplicationIsProtected(Transport transport) throws Exception {
        assertThat(verdict(unchanged(transport))).isEqualTo(new Verdict(Outcome.PROTECTED, ""));
    }

    /** The judge sees what idem is for. */
    @ParameterizedTest
    @EnumSource
    void anApplicationWithoutIdemIsSilent(Transport transport) throws Exception {
        Verdict verdict = verdict(withoutIdem(transport));
        assertThat(verdict.outcome()).as("%s", verdict).isEqualTo(Outcome.SILENT);
    }

    @Test
    void theNamesAreFound() {
        assertThat(HOOKS)
                .hasSizeGreaterThan(FEWEST)
                .extracting(Mutation::member)
                .as("overridden, read, called and compared")
                .contains("doSend", "delegate", "dedicatedChannels", "getAdviceChain", "basicPublish", "execute");
        assertThat(HOOKS)
                .filteredOn(mutation -> mutation.kind() == Mutation.Kind.TYPE)
                .extracting(Mutation::id)
                .as("named by a condition, extended, implemented")
                .contains(
                        "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
                        "org.springframework.kafka.core.KafkaTemplate",
                        "org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer");
    }

    private static Row unchanged(Transport transport) {
        return new Row(transport, Mutation.of(Mutation.Kind.NONE));
    }

    private static Row withoutIdem(Transport transport) {
        return new Row(transport, Mutation.of(Mutation.Kind.WITHOUT_IDEM));
    }

    private static Verdict verdict(Row row) throws Exception {
        return Objects.requireNonNull(STORIES.get(row)).get();
    }

    /** In a thread of its own, so that nothing of the application stays with one that lives on. */
    private static Verdict tell(Row row) throws Exception {
        try (MutatedLoader loader = new MutatedLoader(FRAMEWORKS, row)) {
            FutureTask<Verdict> story = new FutureTask<>(() -> Story.of(row.transport(), loader));
            new Thread(story, row.toString()).start();
            Verdict verdict = story.get();
            TOLD.put(row, verdict);
            return verdict;
        }
    }
}
