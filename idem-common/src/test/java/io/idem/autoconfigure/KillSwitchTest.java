package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class KillSwitchTest {

    private static final String UNREACHABLE = "spring.data.redis.port=1";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdemKillSwitchAutoConfiguration.class,
                    IdemAutoConfiguration.class,
                    IdemRedisAutoConfiguration.class,
                    IdemCacheAutoConfiguration.class));

    private static Outcome<String> run(IdempotentExecutor executor) throws Exception {
        Operation operation = Operation.of(IdempotencyKey.of("k"), new Scope("payments"), ExecutionPolicy.defaults());
        return executor.execute(operation, work -> new WorkResult.Complete<>("done", StoredResult.NONE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0"})
    void switchedOffEveryDuplicateRunsWithoutRedis(String off, CapturedOutput output) {
        runner.withPropertyValues("idem.enabled=" + off, UNREACHABLE).run(context -> {
            IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);

            assertThat(run(executor)).isInstanceOf(Outcome.Executed.class);
            assertThat(run(executor)).isInstanceOf(Outcome.Executed.class);
            assertThat(output).contains("idem is switched off (idem.enabled=false)");
        });
    }

    @Test
    void aNearCacheDoesNotAnswerInItsPlace() {
        runner.withPropertyValues("idem.enabled=false", "idem.cache.enabled=true", UNREACHABLE)
                .run(context -> {
                    IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);

                    assertThat(run(executor)).isInstanceOf(Outcome.Executed.class);
                    assertThat(run(executor)).isInstanceOf(Outcome.Executed.class);
                });
    }

    @Test
    void itGoesBeforeAStoreOfTheApplicationEvenIfThatIsPrimary() {
        runner.withPropertyValues("idem.enabled=false")
                .withBean(
                        "own",
                        IdempotencyStore.class,
                        InMemoryIdempotencyStore::new,
                        definition -> definition.setPrimary(true))
                .run(context ->
                        assertThat(context.getBean(IdempotencyStore.class)).isInstanceOf(UnguardedStore.class));
    }

    @Test
    void withoutTheSwitchNothingIsDifferent() {
        runner.withPropertyValues("idem.enabled=true", UNREACHABLE)
                .run(context -> assertThat(context).doesNotHaveBean(UnguardedStore.class));
    }

    @Test
    void theLogIsReminded(CapturedOutput output) throws Exception {
        AtomicLong nanos = new AtomicLong();
        UnguardedStore store = new UnguardedStore(nanos::get);
        try (IdempotentExecutor executor = IdempotentExecutor.on(store).build()) {
            run(executor);
            assertThat(output).doesNotContain("still switched off");
            nanos.set(Duration.ofMinutes(1).toNanos());
            run(executor);
            run(executor);
        }

        assertThat(output).containsOnlyOnce("still switched off (idem.enabled=false): 2 operation(s)");
    }
}
