package io.idem.autoconfigure;

import io.idem.StoreUnavailableException;
import io.idem.internal.spring.OnStore;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.redis.store.RedisRecordLister;
import io.idem.redis.store.RedisRecordRestorer;
import io.idem.redis.store.RedisSettledRecordCache;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import io.idem.spi.RecordRestorer;
import io.idem.spi.SettledRecordCache;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Auto-configuration of the store on the application's Redis, through a client of idem's own. */
@AutoConfiguration(
        before = IdemAutoConfiguration.class,
        afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass(RedisClient.class)
@Conditional(IdemRedisAutoConfiguration.OnRedis.class)
@ConditionalOnMissingBean(IdempotencyStore.class)
@EnableConfigurationProperties(IdemProperties.class)
class IdemRedisAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(IdemRedisAutoConfiguration.class);

    @Bean
    @ConditionalOnProperty(name = StoreChoice.PROPERTY, havingValue = StoreChoice.REDIS, matchIfMissing = true)
    IdempotencyStore idemStore(
            IdemProperties properties,
            RedisAddress address,
            Environment environment,
            ObjectProvider<EvictionMeter> evictions) {
        address.nameClient(environment.getProperty(PlainRedisAddress.PREFIX + ".client-name"));
        RedisIdempotencyStore redis = new RedisIdempotencyStore(properties.redisSettings(address));
        check(redis);
        evictions.ifAvailable(meter -> meter.register(redis));
        return new RetryingIdempotencyStore(redis, RetrySettings.within(properties.retryBudget()));
    }

    /**
     * Checks the server: an unsuitable Redis ends the start, an unreachable one does not; then every call fails closed.
     */
    private static void check(RedisIdempotencyStore redis) {
        try {
            redis.checkServer();
        } catch (StoreUnavailableException away) {
            LOG.warn("{}. The application starts; until that is over, no guarded work is run", away.getMessage());
        } catch (RuntimeException unsuitable) {
            redis.close();
            throw unsuitable;
        }
    }

    /** Created lazily, because only an operator who refills an emptied Redis needs it. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = StoreChoice.PROPERTY, havingValue = StoreChoice.REDIS, matchIfMissing = true)
    RecordRestorer idemRecordRestorer(IdemProperties properties, RedisAddress address) {
        return new RedisRecordRestorer(properties.redisSettings(address));
    }

    /** Used by operators who look for records without knowing their keys; connects on first use. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = StoreChoice.PROPERTY, havingValue = StoreChoice.REDIS, matchIfMissing = true)
    RecordLister idemRecordLister(IdemProperties properties, RedisAddress address) {
        return RetrySettings.within(properties.retryBudget())
                .repeating(new RedisRecordLister(properties.redisSettings(address)));
    }

    @Bean
    @ConditionalOnMissingBean
    @Conditional(OnCopies.class)
    SettledRecordCache idemSettledRecordCache(IdemProperties properties, RedisAddress address) {
        return new RedisSettledRecordCache(properties.redisSettings(address));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    static class BesideSpringData {

        @Bean
        @ConditionalOnMissingBean
        RedisAddress idemRedisAddress(
                IdemProperties properties,
                ObjectProvider<DataRedisConnectionDetails> details,
                ObjectProvider<SslBundles> bundles,
                ObjectProvider<RedisCredentialsProvider> credentials,
                Environment environment,
                ConfigurableListableBeanFactory beans) {
            RedisAddress named = properties.redisUrl(bundles.getIfUnique()).orElseGet(() -> {
                DataRedisConnectionDetails found = details.getIfUnique();
                RedisAddress address =
                        found == null ? plain(environment, bundles.getIfUnique()) : SpringDataRedisAddress.of(found);
                String store = environment.getProperty(StoreChoice.PROPERTY, StoreChoice.REDIS);
                if (store.contains(StoreChoice.REDIS)
                        && address.topology().toString().equals("localhost:6379")) {
                    warnOfOthers(beans);
                }
                return address;
            });
            return named.authenticatedBy(credentials.getIfUnique());
        }

        /** Warns of connection factories of the application, which idem, with no address of its own, does not use. */
        private static void warnOfOthers(ConfigurableListableBeanFactory beans) {
            for (String name : beans.getBeanNamesForType(RedisConnectionFactory.class, true, false)) {
                boolean ofBoot = beans.containsBeanDefinition(name)
                        && String.valueOf(beans.getBeanDefinition(name).getFactoryBeanName())
                                .startsWith("org.springframework.boot");
                if (!ofBoot) {
                    LOG.warn(
                            "idem connects to localhost:6379, because no setting names another Redis: it does not use the connection"
                                    + " factory {}. Set spring.data.redis.host and port, or idem.redis.url",
                            name);
                }
            }
        }
    }

    @Bean
    @ConditionalOnMissingBean
    RedisAddress idemPlainRedisAddress(
            IdemProperties properties,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<RedisCredentialsProvider> credentials,
            Environment environment) {
        return properties
                .redisUrl(bundles.getIfUnique())
                .orElseGet(() -> plain(environment, bundles.getIfUnique()))
                .authenticatedBy(credentials.getIfUnique());
    }

    private static RedisAddress plain(Environment environment, @Nullable SslBundles bundles) {
        return Binder.get(environment)
                .bindOrCreate(PlainRedisAddress.PREFIX, PlainRedisAddress.class)
                .toAddress(bundles);
    }

    /** Matches unless {@value StoreChoice#PROPERTY} is inbox. */
    static final class OnRedis extends OnStore {

        OnRedis() {
            super(store -> !store.equals(StoreChoice.INBOX));
        }
    }

    /** Matches if {@value StoreChoice#PROPERTY} asks for copies in Redis in front of another store. */
    static final class OnCopies extends OnStore {

        OnCopies() {
            super(store -> store.endsWith(WITH_REDIS));
        }
    }
}
