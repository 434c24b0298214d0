package io.idem.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.idem.cache.CacheSettings;
import io.idem.cache.CachingIdempotencyStore;
import io.idem.internal.spring.ConfigurationFailureAnalyzer;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class IdemCacheAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(IdemAutoConfiguration.class, IdemCacheAutoConfiguration.class))
            .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new);

    @Test
    void thereIsNoCacheUnlessAskedFor() {
        runner.run(context ->
                assertThat(context.getBean(IdempotencyStore.class)).isInstanceOf(InMemoryIdempotencyStore.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "yes"})
    void theCacheStandsInFrontOfTheApplicationsStore(String on) {
        runner.withPropertyValues("idem.cache.enabled=" + on)
                .run(context -> assertThat(context.getBean(IdempotencyStore.class))
                        .isInstanceOf(CachingIdempotencyStore.class));
    }

    @Test
    void theKillSwitchSwitchesTheCacheOffToo() {
        runner.withConfiguration(AutoConfigurations.of(IdemKillSwitchAutoConfiguration.class))
                .withPropertyValues("idem.cache.enabled=true", "idem.enabled=false")
                .run(context ->
                        assertThat(context.getBean(IdempotencyStore.class)).isInstanceOf(UnguardedStore.class));
    }

    @Test
    void anApplicationsOwnCacheIsNotCachedAgain() {
        CachingIdempotencyStore own =
                new CachingIdempotencyStore(new InMemoryIdempotencyStore(), CacheSettings.defaults());
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(IdemAutoConfiguration.class, IdemCacheAutoConfiguration.class))
                .withBean(IdempotencyStore.class, () -> own)
                .withPropertyValues("idem.cache.enabled=true")
                .run(context ->
                        assertThat(context.getBean(IdempotencyStore.class)).isSameAs(own));
    }

    @Test
    void aMissingLibraryIsNamed() {
        runner.withPropertyValues("idem.cache.enabled=true")
                .withClassLoader(new FilteredClassLoader(Caffeine.class))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContainingAll("idem.cache.enabled", "com.github.ben-manes.caffeine:caffeine"));
    }

    @ParameterizedTest
    @CsvSource({
        "idem.cache.max-weight, idem.cache.max-weight=0B",
        "idem.cache.ttl, idem.cache.ttl=0s",
        "idem.cache.ttl, idem.cache.ttl=25h",
    })
    void aSettingThatCannotWorkIsNamedAtStartUp(String property, String value) {
        runner.withPropertyValues("idem.cache.enabled=true", value).run(context -> {
            FailureAnalysis analysis =
                    new ConfigurationFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure()));
            assertThat(requireNonNull(analysis).getDescription()).contains(property);
        });
    }
}
