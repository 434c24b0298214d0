package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.json.JacksonResultCodec;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.step.Step;
import io.idem.step.StepException;
import io.idem.step.StepException.Problem;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/** A step returns the same result to the attempt that ran it and to a later one. */
class StepResultsTest {

    private static final Scope SCOPE = new Scope("payments");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofSeconds(30), Duration.ofHours(1));
    private static final IdempotencyKey KEY = IdempotencyKey.of("order-1");
    private static final Operation OPERATION = Operation.of(KEY, SCOPE, POLICY);
    private static final RecordId RECORD = new RecordId(KEY, SCOPE);

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
    private final IdempotentExecutor executor = IdempotentExecutor.on(store)
            .codec(new JacksonResultCodec(JsonMapper.builder().build()))
            .build();
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void close() {
        executor.close();
    }

    /** Written as its cents, read as its whole amount. */
    static final class Rounded {

        @JsonProperty
        final BigDecimal amount;

        @JsonCreator
        Rounded(@JsonProperty("amount") BigDecimal amount) {
            this.amount = amount.setScale(0, java.math.RoundingMode.DOWN);
        }

        private Rounded(BigDecimal exact, boolean unused) {
            this.amount = exact;
        }
    }

    /** Cannot be read back. */
    interface Price {
        BigDecimal getAmount();
    }

    /** As the answer of an authorization server: a number that depends on the time. */
    static class Token {
        private final String id;
        public @Nullable String note;

        @JsonCreator
        Token(@JsonProperty("id") String id) {
            this.id = id;
        }

        public String getId() {
            return id;
        }

        public long getAge() {
            return System.nanoTime();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Token token && token.id.equals(id);
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }

    record Session(Token token, Set<Token> older) {

        @JsonProperty
        List<Long> ages() {
            return List.of(token.getAge());
        }
    }

    record Secretive(
            String id,

            @JsonProperty(access = JsonProperty.Access.READ_ONLY)
            String token) {}

    static class Halfway {
        public @Nullable String id;
        private @Nullable String status;

        @JsonProperty("state")
        public @Nullable String getStatus() {
            return status;
        }

        @JsonProperty("status")
        public void setStatus(String given) {
            status = given;
        }
    }

    record Old(String id, int amount) {}

    record New(String id, int total) {}

    record Mended(String id, @JsonAlias("amount") int total) {}

    private WorkResult<String> done() {
        return new WorkResult.Complete<>("", StoredResult.NONE);
    }

    /** Lets one attempt fail behind the step and another one go on; returns what both got. */
    private List<Object> bothAttempts(Step<?> step, Object result) throws Exception {
        List<Object> got = new ArrayList<>();
        Work<String> work = attempt -> {
            got.add(attempt.step(cast(step), context -> {
                calls.incrementAndGet();
                return result;
            }));
            if (got.size() == 1) {
                throw new IllegalStateException("behind the step");
            }
            return done();
        };
        assertThatThrownBy(() -> executor.execute(OPERATION, work)).hasMessage("behind the step");
        assertThat(executor.execute(OPERATION, work)).isInstanceOf(Outcome.Executed.class);
        assertThat(calls.get()).isOne();
        return got;
    }

    @SuppressWarnings("unchecked")
    private static Step<Object> cast(Step<?> step) {
        return (Step<Object>) step;
    }

    static List<Object[]> results() {
        Map<String, Object> fields = new HashMap<>();
        fields.put("amount", new BigDecimal("1234567890123456.70"));
        fields.put("large", 1.23456789E9);
        fields.put("small", 0.1f);
        fields.put("count", 5L);
        fields.put("none", null);
        return List.of(
                new Object[] {Map.class, fields},
                new Object[] {Object.class, new BigDecimal("0.10000000000000000001")},
                new Object[] {Number.class, 1.2345678901234568E17},
                new Object[] {List.class, List.of(1, 2.5, "a")},
                new Object[] {Set.class, new TreeSet<>(Set.of("zebra", "ape", "yak", "bee", "cat", "dog"))},
                new Object[] {Object.class, new LinkedHashSet<>(List.of(3, 1, 2))},
                new Object[] {Set.class, new LinkedHashSet<>(List.of(3, 1, 2))},
                new Object[] {Token.class, new Token("a")},
                new Object[] {Session.class, new Session(new Token("a"), Set.of(new Token("b"), new Token("c")))},
                new Object[] {OffsetDateTime.class, OffsetDateTime.parse("2026-01-01T12:00:00+02:00")},
                new Object[] {Old.class, new Old("a", 5)},
                new Object[] {Object.class, new Old("a", 5)},
                new Object[] {byte[].class, new byte[] {1, -1}});
    }

    @ParameterizedTest
    @MethodSource("results")
    void everyAttemptGetsTheSame(Class<?> type, Object result) throws Exception {
        List<Object> got = bothAttempts(Step.of("charge", type), result);

        assertThat(got.get(0)).isEqualTo(got.get(1)).hasSameClassAs(got.get(1));
    }

    static Stream<Named<JsonMapper>> mappers() {
        return Stream.of(
                Named.of(
                        "root names",
                        JsonMapper.builder()
                                .enable(SerializationFeature.WRAP_ROOT_VALUE)
                                .enable(DeserializationFeature.UNWRAP_ROOT_VALUE)
                                .build()),
                Named.of(
                        "types of all but final classes",
                        JsonMapper.builder()
                                .activateDefaultTypingAsProperty(
                                        BasicPolymorphicTypeValidator.builder()
                                                .allowIfSubType(Object.class)
                                                .build(),
                                        DefaultTyping.NON_FINAL,
                                        "@class")
                                .build()),
                Named.of(
                        "arrays for lists",
                        JsonMapper.builder()
                                .enable(DeserializationFeature.USE_JAVA_ARRAY_FOR_JSON_ARRAY)
                                .build()));
    }

    record Basket(String id, Set<String> items) {}

    @ParameterizedTest
    @MethodSource("mappers")
    void whatTheApplicationsMapperReadsComesBack(JsonMapper mapper) {
        JacksonResultCodec codec = new JacksonResultCodec(mapper);
        StoredResult stored = codec.encode(new Basket("a", new TreeSet<>(Set.of("x", "y"))));

        assertThat(codec.decode(stored, Basket.class)).isEqualTo(new Basket("a", Set.of("x", "y")));
        assertThatCode(() -> Results.requireSame(stored, new Basket("a", descending("x", "y")), codec))
                .doesNotThrowAnyException();
    }

    private static Set<String> descending(String... items) {
        Set<String> sorted = new TreeSet<>(Comparator.reverseOrder());
        sorted.addAll(List.of(items));
        return sorted;
    }

    @Test
    void anAmountInAMapKeepsItsDigits() throws Exception {
        Map<String, Object> receipt = Map.of("amount", new BigDecimal("1234567890123456.70"));

        assertThat(bothAttempts(Step.of("charge", Map.class), receipt)).containsExactly(receipt, receipt);
    }

    static List<Object[]> misfits() {
        Halfway halfway = new Halfway();
        halfway.setStatus("paid");
        return List.of(
                new Object[] {Rounded.class, new Rounded(new BigDecimal("10.50"), true)},
                new Object[] {Price.class, (Price) () -> BigDecimal.TEN},
                new Object[] {Halfway.class, halfway},
                new Object[] {Integer.class, "not a number"},
                new Object[] {Secretive.class, new Secretive("s", "token")});
    }

    @ParameterizedTest
    @MethodSource("misfits")
    void aResultThatComesBackAsAnotherOneRejectsTheRecordByTheNameOfItsType(Class<?> type, Object result)
            throws Exception {
        AtomicInteger behind = new AtomicInteger();

        Outcome<String> outcome = executor.execute(OPERATION, attempt -> {
            attempt.step(cast(Step.of("charge", type)), context -> {
                calls.incrementAndGet();
                return result;
            });
            behind.incrementAndGet();
            return done();
        });

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains("charge", type.getName()));
        assertThat(behind.get()).isZero();
        assertThat(store.inspect(RECORD))
                .get()
                .extracting(RecordSnapshot::state)
                .isEqualTo(RecordState.REJECTED);
        reopen();
        executor.execute(OPERATION, attempt -> {
            attempt.step(cast(Step.of("charge", Object.class)), context -> calls.incrementAndGet());
            return done();
        });
        assertThat(calls.get()).as("after a reopening").isOne();
    }

    private void reopen() {
        store.reopen(RECORD, store.inspect(RECORD).orElseThrow().fence(), Duration.ofHours(1));
    }

    @Test
    void asynchronousStepsAreReadBackToo() throws Exception {
        Rounded lossy = new Rounded(new BigDecimal("10.50"), true);

        Outcome<String> outcome = executor.execute(OPERATION, attempt -> {
            Object unused = attempt.stepAsync(
                            Step.of("charge", Rounded.class), step -> CompletableFuture.completedFuture(lossy))
                    .toCompletableFuture()
                    .handle((value, failure) -> "caught")
                    .join();
            return done();
        });

        assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void aTypeWithARenamedFieldRejectsAndTheAliasOfTheNextReleaseGoesOn() throws Exception {
        assertThatThrownBy(() -> executor.execute(OPERATION, attempt -> {
                    attempt.step(Step.of("charge", Old.class), step -> {
                        calls.incrementAndGet();
                        return new Old("r-1", 5);
                    });
                    throw new IllegalStateException("behind the step");
                }))
                .hasMessage("behind the step");

        Outcome<String> renamed = executor.execute(OPERATION, attempt -> {
            assertThatThrownBy(() -> attempt.step(Step.of("charge", New.class), step -> new New("again", 1)))
                    .isInstanceOfSatisfying(
                            StepException.class,
                            refused -> assertThat(refused.problem()).isEqualTo(Problem.UNFIT));
            return done();
        });
        assertThat(renamed)
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains(New.class.getName(), "amount"));

        reopen();
        List<Mended> mended = new ArrayList<>();
        executor.execute(OPERATION, attempt -> {
            mended.add(attempt.step(Step.of("charge", Mended.class), step -> new Mended("again", 1)));
            return done();
        });
        assertThat(mended).containsExactly(new Mended("r-1", 5));
        assertThat(calls.get()).isOne();
    }
}
