package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.spring.InvalidSettingException;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.function.Function;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class IdemRedisAutoConfigurationTest {

    private static final String PASSWORD = "a:b@c/d";
    private static final int DATABASE = 3;
    private static final RunningRedis REDIS =
            RedisServers.start(ServerOptions.own().with("requirepass", PASSWORD));
    private static final RunningRedis EVICTING =
            RedisServers.start(ServerOptions.own().with("maxmemory-policy", "allkeys-lru"));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdemAutoConfiguration.class, IdemRedisAutoConfiguration.class, DataRedisAutoConfiguration.class));
    private final ApplicationContextRunner besideRedis = runner.withPropertyValues(
            "spring.data.redis.host=" + REDIS.host(),
            "spring.data.redis.port=" + REDIS.port(),
            "spring.data.redis.password=" + PASSWORD,
            "spring.data.redis.database=" + DATABASE);

    @AfterAll
    static void stop() {
        REDIS.close();
        EVICTING.close();
    }

    @BeforeEach
    void empty() {
        withDatabase(commands -> commands.flushall());
    }

    private static <T> T withDatabase(Function<RedisCommands<String, String>, T> work) {
        RedisURI uri = RedisURI.create(REDIS.uri());
        uri.setDatabase(DATABASE);
        try (RedisClient client = RedisClient.create(uri)) {
            return work.apply(client.connect().sync());
        }
    }

    private static Outcome<String> run(IdempotentExecutor executor) throws Exception {
        Operation operation = Operation.of(IdempotencyKey.of("k"), new Scope("payments"), ExecutionPolicy.defaults());
        return executor.execute(operation, work -> new WorkResult.Complete<>("done", StoredResult.NONE));
    }

    private static boolean recordExists() {
        String key = "idem:{" + IdempotencyKey.of("k").id() + "}:payments";
        return withDatabase(commands -> commands.exists(key)) == 1;
    }

    @Test
    void recordsAreKeptInTheRedisOfTheApplication() {
        besideRedis.run(context -> {
            assertThat(run(context.getBean(IdempotentExecutor.class))).isInstanceOf(Outcome.Executed.class);
            assertThat(run(context.getBean(IdempotentExecutor.class))).isInstanceOf(Outcome.Replayed.class);
            assertThat(recordExists()).isTrue();
        });
    }

    @Test
    void theSameSettingsServeWithoutSpringDataRedis() {
        besideRedis
                .withClassLoader(new FilteredClassLoader("org.springframework.data", "org.springframework.boot.data"))
                .run(context -> {
                    assertThat(run(context.getBean(IdempotentExecutor.class))).isInstanceOf(Outcome.Executed.class);
                    assertThat(recordExists()).isTrue();
                });
    }

    @Test
    void aRedisForIdemAloneGoesBeforeTheOneOfTheApplication() {
        runner.withPropertyValues(
                        "spring.data.redis.host=nowhere.invalid",
                        "idem.redis.url=redis://:a%3Ab%40c%2Fd@" + REDIS.host() + ":" + REDIS.port() + "/" + DATABASE)
                .run(context -> {
                    assertThat(run(context.getBean(IdempotentExecutor.class))).isInstanceOf(Outcome.Executed.class);
                    assertThat(recordExists()).isTrue();
                });
    }

    /** As a container of {@code @ServiceConnection} or of Docker Compose gives them. */
    @Test
    void theDetailsOfAContainerGoBeforeTheSettings() {
        DataRedisConnectionDetails container = new DataRedisConnectionDetails() {
            @Override
            public String getPassword() {
                return PASSWORD;
            }

            @Override
            public Standalone getStandalone() {
                return Standalone.of(REDIS.host(), REDIS.port(), DATABASE);
            }
        };
        runner.withBean(DataRedisConnectionDetails.class, () -> container)
                .withPropertyValues("spring.data.redis.host=nowhere.invalid")
                .run(context -> {
                    assertThat(run(context.getBean(IdempotentExecutor.class))).isInstanceOf(Outcome.Executed.class);
                    assertThat(recordExists()).isTrue();
                });
    }

    @Test
    void theNameOfTheApplicationsClientIsTheOneThatRedisShows() {
        besideRedis.withPropertyValues("spring.data.redis.client-name=shop").run(context -> {
            run(context.getBean(IdempotentExecutor.class));
            String clients = withDatabase(RedisCommands::clientList);
            assertThat(clients).contains("name=shop-idem ");
        });
    }

    @Test
    void aConnectionFactoryOfTheApplicationIsNamedWhereNoSettingNamesARedis(CapturedOutput output) {
        ApplicationContextRunner own = runner.withBean(
                "cacheFactory", LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("elsewhere", 6380));

        own.withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
                .run(context -> assertThat(output).doesNotContain("cacheFactory"));
        own.run(context -> assertThat(output).containsOnlyOnce("does not use the connection factory cacheFactory"));
    }

    @Test
    void aConnectionFactoryBesideSettingsOrOfSpringBootIsNot(CapturedOutput output) {
        besideRedis
                .withBean(
                        "cacheFactory",
                        LettuceConnectionFactory.class,
                        () -> new LettuceConnectionFactory("elsewhere", 6380))
                .run(context -> assertThat(run(context.getBean(IdempotentExecutor.class)))
                        .isInstanceOf(Outcome.Executed.class));
        runner.run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("does not use the connection factory");
    }

    @Test
    void aResultAboveTheLimitOfAnswersIsTheReasonThatItsDuplicatesAreTold() {
        byte[] result = new byte[300_000];
        String limit = withDatabase(commands -> commands.configGet("client-output-buffer-limit"))
                .get("client-output-buffer-limit");
        withDatabase(commands -> commands.configSet("client-output-buffer-limit", "normal 100kb 0 0"));
        try {
            besideRedis.withPropertyValues("idem.redis.retry-budget=1ms").run(context -> {
                IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
                Operation operation =
                        Operation.of(IdempotencyKey.of("k"), new Scope("payments"), ExecutionPolicy.defaults());
                executor.execute(operation, work -> new WorkResult.Complete<>("done", StoredResult.of("raw", result)));

                assertThatThrownBy(() -> run(executor))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("client-output-buffer-limit");
            });
        } finally {
            withDatabase(commands -> commands.configSet("client-output-buffer-limit", limit));
        }
    }

    @Test
    void anotherNamespaceIsAnotherMemory() {
        besideRedis.withPropertyValues("idem.redis.namespace=shop-test").run(context -> {
            assertThat(run(context.getBean(IdempotentExecutor.class))).isInstanceOf(Outcome.Executed.class);
            assertThat(recordExists()).isFalse();
        });
        runner.withPropertyValues("idem.redis.namespace={shop}")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("Setting idem.redis.namespace: "));
    }

    @Test
    void aUrlThatIsNoneIsNamedWithoutRepeatingIt() {
        runner.withPropertyValues("idem.redis.url=http://user:secret@cache.example")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(InvalidSettingException.class.getName() + ": Setting idem.redis.url: ")
                        .extracting(Throwables::getStackTrace, InstanceOfAssertFactories.STRING)
                        .doesNotContain("secret"));
    }

    @Test
    void aStoreOfTheApplicationIsLeftAlone() {
        IdempotencyStore own = new InMemoryIdempotencyStore();
        runner.withBean(IdempotencyStore.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(IdempotencyStore.class)).isSameAs(own));
    }

    @Test
    void anApplicationWhoseRedisIsAwayStartsAndRunsNothing() {
        runner.withPropertyValues("spring.data.redis.port=1", "idem.redis.retry-budget=100ms")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThatThrownBy(() -> run(context.getBean(IdempotentExecutor.class)))
                            .asInstanceOf(InstanceOfAssertFactories.type(StoreUnavailableException.class))
                            .extracting(StoreUnavailableException::execution)
                            .isEqualTo(Execution.NOT_EXECUTED);
                });
    }

    @Test
    void replicasThatNobodyPromotesAreRefused() {
        runner.withPropertyValues("spring.data.redis.masterreplica.nodes=h:1,h:2")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("masterreplica"));
    }

    @Test
    void anEvictingRedisEndsTheStartWithAnExplanation(CapturedOutput output) {
        assertThatThrownBy(() -> start("--idem.redis.url=" + EVICTING.uri())).isInstanceOf(RuntimeException.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("maxmemory-policy allkeys-lru")
                .contains("maxmemory-policy noeviction")
                .contains("idem.redis.checks.eviction-policy=warn");
    }

    @Test
    void anEvictingRedisIsOnlyWarnedAboutWhereThatIsAskedFor(CapturedOutput output) {
        runner.withPropertyValues("idem.redis.url=" + EVICTING.uri(), "idem.redis.checks.eviction-policy=warn")
                .run(context -> assertThat(run(context.getBean(IdempotentExecutor.class)))
                        .isInstanceOf(Outcome.Executed.class));

        assertThat(output).contains("allkeys-lru");
    }

    @Test
    void aSettingThatCannotWorkEndsTheStartWithAnExplanation(CapturedOutput output) {
        assertThatThrownBy(() -> start("--idem.lease=10ms")).isInstanceOf(RuntimeException.class);

        assertThat(output).contains("APPLICATION FAILED TO START").contains("Change idem.lease");
    }

    private static void start(String... arguments) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        application.run(arguments).close();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({IdemAutoConfiguration.class, IdemRedisAutoConfiguration.class})
    static class Application {}
}
