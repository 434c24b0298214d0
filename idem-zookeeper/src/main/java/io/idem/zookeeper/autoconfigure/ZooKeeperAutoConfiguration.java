package io.idem.zookeeper.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.StoreUnavailableException;
import io.idem.cache.ReadThroughIdempotencyStore;
import io.idem.internal.WaitingThreads;
import io.idem.internal.spring.Cleaning;
import io.idem.internal.spring.OnStore;
import io.idem.result.ResultLimits;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import io.idem.spi.SettledRecordCache;
import io.idem.zookeeper.ZooKeeperConnection;
import io.idem.zookeeper.ZooKeeperIdempotencyStore;
import io.idem.zookeeper.ZooKeeperRecordCleaner;
import io.idem.zookeeper.ZooKeeperRecordLister;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the store on a ZooKeeper ensemble, with or without Redis in front. Backs off for the user's own
 * store.
 */
@AutoConfiguration(
        beforeName = {"io.idem.autoconfigure.IdemAutoConfiguration", "io.idem.autoconfigure.IdemResultAutoConfiguration"
        },
        afterName = "io.idem.autoconfigure.IdemRedisAutoConfiguration")
@Conditional(OnZooKeeperStore.class)
@ConditionalOnMissingBean(IdempotencyStore.class)
@EnableConfigurationProperties(ZooKeeperProperties.class)
final class ZooKeeperAutoConfiguration {

    private static final Duration CLEANING_PAUSE = Duration.ofHours(1);

    /** Short, so that instances that seldom live for an hour clean, too. */
    private static final Duration FIRST_CLEANING = Duration.ofMinutes(5);

    /** Shorter than the pause, so that the same instance finds its turn again. */
    private static final Duration CLEANED_BEFORE = Duration.ofMinutes(50);

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    ZooKeeperConnection idemZooKeeperConnection(ZooKeeperProperties properties, ExecutionPolicy policy) {
        return new ZooKeeperConnection(properties.settings(policy.lease()));
    }

    @Bean
    @ConditionalOnMissingBean
    ResultLimits idemResultLimits(ListableBeanFactory beans, Environment environment) {
        return new LargestResult(beans, environment).limits();
    }

    @Bean
    IdempotencyStore idemStore(
            ZooKeeperConnection connection,
            ExecutionPolicy policy,
            ZooKeeperProperties properties,
            ObjectProvider<SettledRecordCache> cache,
            ObjectProvider<WaitingThreads> threads,
            ResultLimits limits,
            ListableBeanFactory beans,
            Environment environment) {
        new LargestResult(beans, environment).requireThatItFits(limits);
        ZooKeeperIdempotencyStore truth = new ZooKeeperIdempotencyStore(connection);
        SettledRecordCache available = cache.getIfAvailable();
        if (available == null) {
            OnStore.requireNoCopies(environment);
        }
        IdempotencyStore store = available == null
                ? truth
                : new ReadThroughIdempotencyStore(
                        truth,
                        CopiesOfRoot.of(connection.settings(), available),
                        ReadThroughIdempotencyStore.DEFAULT_COPY_LIFE,
                        threads.getObject()::execute);
        Duration budget =
                properties.retryBudget(policy.lease(), connection.settings().sessionTimeout());
        check(connection, budget);
        return new RetryingIdempotencyStore(store, RetrySettings.within(budget));
    }

    private static void check(ZooKeeperConnection connection, Duration budget) {
        try {
            Duration silence = connection.check().multipliedBy(2).dividedBy(3);
            if (silence.compareTo(budget) > 0) {
                LOG.warn(
                        "ZooKeeper's servers have raised the session timeout: one that is silent is left after {}, and calls"
                                + " are repeated for {} only. Work that is done in between is not recorded and is taken"
                                + " over. Use a longer idem.lease, or servers with a shorter tickTime",
                        silence,
                        budget);
            }
        } catch (StoreUnavailableException away) {
            LOG.warn("{}. The application starts; until ZooKeeper answers, no guarded work is run", away.getMessage());
        }
    }

    /** Threads that wait for Redis in front of ZooKeeper. */
    @Bean
    @Lazy
    WaitingThreads idemCopyThreads() {
        return new WaitingThreads("idem-zookeeper", 4);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    RecordLister idemRecordLister(ZooKeeperConnection connection) {
        return new ZooKeeperRecordLister(connection);
    }

    @Bean
    @ConditionalOnMissingBean
    ZooKeeperRecordCleaner idemRecordCleaner(ZooKeeperConnection connection) {
        return new ZooKeeperRecordCleaner(connection);
    }

    /** Of several instances the first one in an hour cleans. */
    @Bean
    Cleaning idemRecordCleaning(ZooKeeperRecordCleaner cleaner) {
        return new Cleaning("records", () -> cleaner.clean(CLEANED_BEFORE), FIRST_CLEANING, CLEANING_PAUSE);
    }
}
