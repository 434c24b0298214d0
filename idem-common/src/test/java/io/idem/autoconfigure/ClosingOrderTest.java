package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisURI;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

@Tag("servers")
class ClosingOrderTest {

    private static final RedisURI REDIS = RedisURI.create(SharedServers.redis().uri());

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {}

    /** Work that ends when its executor waits for it. */
    static class Work {

        @Async
        @Idempotent(scope = "closing", key = "#key")
        public void later(String key, CountDownLatch begun, ExecutorService itsExecutor) {
            run(key, begun, itsExecutor);
        }

        @Idempotent(scope = "closing.pool", key = "#key")
        public void run(String key, CountDownLatch begun, ExecutorService itsExecutor) {
            begun.countDown();
            await().until(itsExecutor::isShutdown);
        }
    }

    /** A bean with threads of its own. */
    static class Pool implements DisposableBean {

        private final ExecutorService threads = Executors.newSingleThreadExecutor();
        private final Work work;

        Pool(Work work) {
            this.work = work;
        }

        void submit(String key, CountDownLatch begun) {
            threads.execute(() -> work.run(key, begun, threads));
        }

        @Override
        public void destroy() throws InterruptedException {
            threads.shutdown();
            assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private final CountDownLatch begun = new CountDownLatch(1);
    private final String key = UUID.randomUUID().toString();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdemAutoConfiguration.class,
                    IdemRedisAutoConfiguration.class,
                    IdemMethodsAutoConfiguration.class,
                    TaskExecutionAutoConfiguration.class))
            .withUserConfiguration(Asynchronous.class)
            .withBean(Work.class)
            .withPropertyValues(
                    "spring.data.redis.url=" + REDIS.toURI(),
                    "spring.task.execution.shutdown.await-termination=true",
                    "spring.task.execution.shutdown.await-termination-period=20s");

    private RecordState stateIn(String scope) {
        try (IdempotencyStore store = new RedisIdempotencyStore(RedisSettings.of(REDIS))) {
            RecordId record = new RecordId(IdempotencyKey.of(key), new Scope(scope));
            return store.inspect(record).orElseThrow().state();
        }
    }

    @Test
    void workThatAnExecutorWaitsForIsRecorded() {
        application.run(context -> {
            ExecutorService threads =
                    context.getBean(ThreadPoolTaskExecutor.class).getThreadPoolExecutor();
            context.getBean(Work.class).later(key, begun, threads);
            begun.await();
        });

        assertThat(stateIn("closing")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void workThatABeanWithThreadsOfItsOwnWaitsForIsRecorded() {
        application.withBean(Pool.class).run(context -> {
            context.getBean(Pool.class).submit(key, begun);
            begun.await();
        });

        assertThat(stateIn("closing.pool")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aDataSourceThatCannotBeMadeTakesNothingAlong() {
        application
                .withBean(
                        "archive",
                        DataSource.class,
                        () -> {
                            throw new IllegalStateException("not there");
                        },
                        definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean("archive")).hasRootCauseMessage("not there");

                    assertThat(context.getBean(ThreadPoolTaskExecutor.class)
                                    .getThreadPoolExecutor()
                                    .isShutdown())
                            .isFalse();
                });
    }
}
