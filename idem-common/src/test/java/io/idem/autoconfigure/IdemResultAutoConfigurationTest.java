package io.idem.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEventListener;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.ResultLoss;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.result.ConfiguredKeys;
import io.idem.internal.result.ResultCodecs;
import io.idem.internal.spring.ConfigurationFailureAnalyzer;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import io.idem.result.ResultKey;
import io.idem.result.ResultKeyProvider;
import io.idem.result.ResultLimits;
import io.idem.result.ResultStorage;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.ResultPipeline;
import io.idem.spi.ResultPipeline.Handled;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(OutputCaptureExtension.class)
class IdemResultAutoConfigurationTest {

    private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdemAutoConfiguration.class, IdemJsonAutoConfiguration.class, IdemResultAutoConfiguration.class))
            .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new);

    private record MapStorage(Map<String, byte[]> objects) implements ResultStorage {

        @Override
        public void put(String name, byte[] content) {
            objects.put(name, content);
        }

        @Override
        public Optional<byte[]> get(String name) {
            return Optional.ofNullable(objects.get(name));
        }

        @Override
        public void delete(String name) {
            objects.remove(name);
        }
    }

    private final MapStorage storage = new MapStorage(new ConcurrentHashMap<>());

    private record Own(String name) implements ResultCodec {

        @Override
        public StoredResult encode(@Nullable Object value) {
            return StoredResult.of(name, new byte[] {1});
        }

        @Override
        public @Nullable Object decode(StoredResult result, Type type) {
            return name;
        }
    }

    private static StoredResult run(AssertableApplicationContext context, StoredResult result) throws Exception {
        Operation operation = operation();
        IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
        executor.execute(operation, work -> new WorkResult.Complete<>("done", result));
        Outcome<String> again = executor.execute(operation, work -> {
            throw new AssertionError("ran twice");
        });
        return ((Outcome.Replayed<String>) again).result();
    }

    private static Operation operation() {
        return Operation.of(IdempotencyKey.of("k"), new Scope("payments"), ExecutionPolicy.defaults());
    }

    private static StoredResult record(AssertableApplicationContext context) {
        return context.getBean(IdempotencyStore.class)
                .inspect(operation().record())
                .orElseThrow()
                .result();
    }

    private static StoredResult noise(int size) {
        byte[] content = new byte[size];
        new Random(1).nextBytes(content);
        return StoredResult.of("text", content);
    }

    @Test
    void resultsAreJsonAndLargeOnesCompressedByDefault() {
        runner.run(context -> {
            assertThat(context.getBean(ResultCodec.class).name()).isEqualTo("json");
            StoredResult large = StoredResult.of("text", new byte[20_000]);
            assertThat(run(context, large)).isEqualTo(large);
            assertThat(record(context).size()).isLessThan(200);
        });
    }

    @Test
    void theCodecThatWritesIsASettingAndTheOthersStillRead() {
        StoredResult json = StoredResult.of("json", "\"a\"".getBytes(StandardCharsets.UTF_8));
        runner.withPropertyValues("idem.result.codec=raw").run(context -> {
            ResultCodec codec = context.getBean(ResultCodec.class);
            assertThat(codec.encode("a").codec()).isEqualTo("raw");
            assertThat(codec.decode(json, String.class)).isEqualTo("a");
        });
    }

    @Test
    void withoutJackson3OnlyBytesAndTextAreKept() {
        runner.withClassLoader(new FilteredClassLoader(JsonMapper.class))
                .run(context ->
                        assertThat(context.getBean(ResultCodec.class).name()).isEqualTo("raw"));
    }

    @Test
    void theCodecOfJackson2EndsTheStartUnlessTheApplicationHasOne() {
        ApplicationContextRunner jackson2 = runner.withPropertyValues("idem.result.codec=jackson2");

        jackson2.run(context -> {
            assertThat(refusal(context).getDescription()).contains("idem.result.codec", "\"jackson2\" was removed");
            assertThat(refusal(context).getAction()).contains("idem.result.codec=json", "tools.jackson.core");
        });
        jackson2.withBean(ResultCodec.class, () -> new Own("jackson2"))
                .run(context ->
                        assertThat(context.getBean(ResultCodecs.class).name()).isEqualTo("jackson2"));
    }

    @Test
    void whatJackson2StoredIsReadAsJson() {
        StoredResult stored = StoredResult.of("jackson2", "\"a\"".getBytes(StandardCharsets.UTF_8));
        runner.run(context -> assertThat(context.getBean(ResultCodec.class).decode(stored, String.class))
                .isEqualTo("a"));
    }

    @Test
    void anApplicationsOwnCodecWritesAndTheBuiltInOnesStillRead() {
        StoredResult json = StoredResult.of("json", "\"a\"".getBytes(StandardCharsets.UTF_8));
        runner.withBean(ResultCodec.class, () -> new Own("avro")).run(context -> {
            ResultCodec codec = context.getBean(ResultCodec.class);
            assertThat(codec).isInstanceOf(ResultCodecs.class);
            assertThat(codec.encode("a").codec()).isEqualTo("avro");
            assertThat(codec.decode(json, String.class)).isEqualTo("a");
        });
    }

    @Test
    void configuredKeysEncryptWhatIsStored() {
        runner.withPropertyValues("idem.result.encryption.key=2026-11", "idem.result.encryption.keys.[2026-11]=" + KEY)
                .run(context -> {
                    StoredResult secret = StoredResult.of("text", "confidential".getBytes(StandardCharsets.UTF_8));
                    assertThat(run(context, secret)).isEqualTo(secret);
                    assertThat(new String(record(context).content(), StandardCharsets.ISO_8859_1))
                            .contains("2026-11")
                            .doesNotContain("confidential");
                    assertThat(context.getBean(IdemResultProperties.class).toString())
                            .doesNotContain(KEY);
                });
    }

    @Test
    void plainResultsAreReplayedOnlyWhereASettingSaysSoAndTheStartNamesIt(CapturedOutput output) {
        StoredResult plain = StoredResult.of("text", "forged".getBytes(StandardCharsets.UTF_8));
        RecordId record = new RecordId(IdempotencyKey.of("k"), new Scope("payments"));
        String[] encryption = {"idem.result.encryption.key=a", "idem.result.encryption.keys.a=" + KEY};
        runner.withPropertyValues(encryption)
                .run(context -> assertThat(context.getBean(ResultPipeline.class).unpack(record, plain))
                        .isEqualTo(Handled.without(ResultLoss.NOT_ENCRYPTED, StoredResult.OMITTED)));
        assertThat(output).contains("only encrypted ones are replayed", "idem.result.encryption.accept-plain=true");

        runner.withPropertyValues(encryption)
                .withPropertyValues("idem.result.encryption.accept-plain=true")
                .run(context -> assertThat(context.getBean(ResultPipeline.class).unpack(record, plain))
                        .isEqualTo(Handled.whole(plain)));
        assertThat(output).contains("plain ones are replayed too");
    }

    @Test
    void anApplicationsOwnKeysAreUsedWithoutASetting() {
        ConfiguredKeys own = new ConfiguredKeys(List.of(ResultKey.of("own", new byte[32])), "own");
        runner.withBean(ResultKeyProvider.class, () -> own).run(context -> {
            assertThat(run(context, noise(10))).isEqualTo(noise(10));
            assertThat(new String(record(context).content(), StandardCharsets.ISO_8859_1))
                    .contains("own");
        });
    }

    @Test
    void largeResultsGoToAStorageAndComeBack() {
        offloading().run(context -> {
            assertThat(run(context, noise(5000))).isEqualTo(noise(5000));
            assertThat(record(context).size()).isLessThan(300);
            assertThat(storage.objects()).hasSize(1);
        });
    }

    private ApplicationContextRunner offloading() {
        return runner.withBean(ResultStorage.class, () -> storage).withPropertyValues("idem.result.offload.above=1KB");
    }

    @Test
    void erasingAKeyRemovesItsObjectsToo() {
        offloading().run(context -> {
            context.getBean(IdempotencyStore.class)
                    .announce(operation().record().scope());
            run(context, noise(5000));
            context.getBean(RecordOperator.class)
                    .act(OperatorAct.Action.ERASE, operation().record(), "anna", "the customer asked for it");

            assertThat(storage.objects()).isEmpty();
            assertThat(run(context, noise(5000))).isEqualTo(StoredResult.OMITTED);
        });
    }

    @Test
    void aStorageThatWouldNeverBeUsedEndsTheStart() {
        offloading()
                .withPropertyValues("idem.result.max-size=1KB")
                .run(context -> assertThat(refusal(context).getDescription())
                        .contains("idem.result.offload.above", "nothing would ever be offloaded"));
    }

    @Test
    void resultsInFilesEndTheStart() {
        runner.withPropertyValues("idem.result.offload.directory=/var/results").run(context -> {
            assertThat(refusal(context).getDescription()).contains("idem.result.offload.directory was removed");
            assertThat(refusal(context).getAction())
                    .contains("after the longest retention", "move the files to S3", "idem.result.offload.s3.bucket");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"idem.jdbc.fail-open=true", "idem.jdbc.fail-open=false", "idem.jdbc.failOpen=true"})
    void workWithoutTheStoreEndsTheStart(String setting) {
        runner.withPropertyValues(setting).run(context -> {
            assertThat(refusal(context).getDescription()).contains("idem.jdbc.fail-open was removed");
            assertThat(refusal(context).getAction()).contains("idem.store=inbox");
        });
    }

    private static FailureAnalysis refusal(AssertableApplicationContext context) {
        return requireNonNull(new ConfigurationFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure())));
    }

    @Test
    void theApplicationsLimitsSayWhatBecomesOfLargerResults() {
        Lease lease = new Lease(
                operation().record(),
                OwnerToken.random(new SecureRandom()),
                1,
                1,
                Duration.ofSeconds(30),
                Duration.ofHours(1));
        ResultLimits strict = new ResultLimits(1000, ResultLimits.TooLarge.FAIL, ResultLimits.DEFAULT_COMPRESS_ABOVE);
        runner.withBean(ResultLimits.class, () -> strict)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(ResultPipeline.class).pack(lease, noise(2000), StoredResult.NONE))
                        .isInstanceOf(ResultCodecException.class)
                        .hasMessageContainingAll("2000 bytes", "ResultLimits"));
    }

    @Test
    void losingAResultIsAnEvent() {
        List<Object> events = new CopyOnWriteArrayList<>();
        runner.withPropertyValues("idem.result.max-size=1KB", "idem.result.compress-above=1KB")
                .withBean(IdempotencyEventListener.class, () -> events::add)
                .run(context -> {
                    assertThat(run(context, noise(2000))).isEqualTo(StoredResult.OMITTED);
                    assertThat(events.toString()).contains("TOO_LARGE");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "idem.result.codec, idem.result.codec=avro",
        "idem.result.max-size, idem.result.max-size=0B",
        "idem.result.compress-above, idem.result.compress-above=-1B",
        "idem.result.offload.grace, idem.result.offload.grace=-1s",
        "idem.result.encryption.key, idem.result.encryption.key=a",
        "idem.result.encryption.key, idem.result.encryption.keys.a=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "idem.result.encryption.keys.a, idem.result.encryption.key=a idem.result.encryption.keys.a=c2hvcnQ=",
    })
    void aSettingThatCannotWorkIsNamedAtStartUp(String property, String values) {
        runner.withPropertyValues(values.split(" ")).run(context -> {
            FailureAnalysis analysis = refusal(context);
            assertThat(analysis.getDescription()).contains(property);
            assertThat(Arrays.asList(analysis.getDescription(), analysis.getAction()))
                    .noneMatch(text -> text.contains("c2hvcnQ"));
        });
    }
}
