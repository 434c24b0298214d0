package io.idem.packaging.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ClassUtils;

/** An application that adds a starter gets the beans of idem and keeps all its own, with the same classes. */
@Tag("extended")
class StartersChangeNothingTest {

    private static final List<String> APPLICATION =
            List.of("spring-boot-starter", "spring-boot-starter-cache", "caffeine", "postgresql", "test-classes");

    private final ArtifactClosure closure = new ArtifactClosure();

    @ParameterizedTest
    @CsvSource({
        "idem-rabbitmq-spring-boot-starter, spring-boot-starter-amqp",
        "idem-kafka-spring-boot-starter, spring-boot-starter-kafka",
        "idem-http-spring-boot-starter, spring-boot-starter-webmvc",
        "idem-webflux-spring-boot-starter, spring-boot-starter-webflux",
        "idem-jdbc-spring-boot-starter, spring-boot-starter-jdbc",
        "idem-inbox-spring-boot-starter, spring-boot-starter-jdbc"
    })
    void onlyBeansOfIdemAreAdded(String starter, String without) throws Exception {
        String store = starter.startsWith("idem-inbox") ? "inbox" : "redis";
        Map<String, String> before = beans(store, without);
        Map<String, String> after = beans(store, without, starter);

        assertThat(before).containsEntry("cacheManager", "org.springframework.cache.caffeine.CaffeineCacheManager");
        // The only bean of Spring Boot that idem replaces, as documented, with a subclass.
        after.replace(
                "kafkaTemplate",
                "io.idem.consumer.kafka.publish.PropagatingKafkaTemplate",
                "org.springframework.kafka.core.KafkaTemplate");
        assertThat(after).containsAllEntriesOf(before);
        after.keySet().removeAll(before.keySet());
        assertThat(after)
                .isNotEmpty()
                .allSatisfy((name, type) -> assertThat(name + " " + type).contains("idem"));
    }

    @ParameterizedTest
    @CsvSource({
        "idem-rabbitmq-spring-boot-starter",
        "idem-kafka-spring-boot-starter",
        "idem-http-spring-boot-starter",
        "idem-webflux-spring-boot-starter",
        "idem-jdbc-spring-boot-starter",
        "idem-inbox-spring-boot-starter",
        "idem-zookeeper-spring-boot-starter"
    })
    void noModuleOfSpringDataIsBrought(String starter) {
        assertThat(closure.of(List.of(starter)))
                .isNotEmpty()
                .noneMatch(jar -> jar.getFileName().toString().startsWith("spring-data-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"idem-rabbitmq-spring-boot-starter", "idem-api-gateway", "idem-api-gateway-service"})
    void springRabbitIsBroughtAndNoModuleOfBootForIt(String module) {
        assertThat(closure.of(List.of(module)))
                .extracting(jar -> jar.getFileName().toString())
                .anyMatch(jar -> jar.startsWith("spring-rabbit-"))
                .noneMatch(jar -> jar.matches("spring-boot-(starter-)?(amqp|rabbitmq)-.*"));
    }

    @Test
    void theStarterOfTheInboxBringsNoRedisClient() {
        assertThat(closure.of(List.of("idem-inbox-spring-boot-starter")))
                .isNotEmpty()
                .noneMatch(jar -> jar.getFileName().toString().startsWith("lettuce-"));
    }

    private Map<String, String> beans(String store, String... starters) throws Exception {
        List<Path> classPath = closure.of(
                Stream.concat(APPLICATION.stream(), Stream.of(starters)).toList());
        Thread thread = Thread.currentThread();
        ClassLoader ours = thread.getContextClassLoader();
        try (URLClassLoader own = new URLClassLoader(urls(classPath), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(own);
            leaveUrlsAlone(own);
            Object beans = own.loadClass(CachingApplication.class.getName())
                    .getMethod("beans", Map.class)
                    .invoke(null, settings(store));
            return copied((Map<?, ?>) beans);
        } finally {
            thread.setContextClassLoader(ours);
        }
    }

    /** Prevents Tomcat from registering its URLs with the JVM, which is possible only once. */
    private static void leaveUrlsAlone(ClassLoader own) throws ReflectiveOperationException {
        String factory = "org.apache.catalina.webresources.TomcatURLStreamHandlerFactory";
        if (ClassUtils.isPresent(factory, own)) {
            var unused = own.loadClass(factory).getMethod("disable").invoke(null);
        }
    }

    private static Map<String, Object> settings(String store) {
        RunningPostgres database = SharedServers.postgres();
        return Map.of(
                "server.port",
                0,
                "spring.main.banner-mode",
                "off",
                "spring.data.redis.url",
                SharedServers.redis().uri(),
                "spring.datasource.url",
                database.jdbcUrl(),
                "spring.datasource.username",
                database.user(),
                "spring.datasource.password",
                database.password(),
                "idem.jdbc.initialize-schema",
                "always",
                "idem.store",
                store);
    }

    private static Map<String, String> copied(Map<?, ?> beans) {
        Map<String, String> copy = new HashMap<>();
        beans.forEach((name, type) -> copy.put((String) name, (String) type));
        return copy;
    }

    private static URL[] urls(List<Path> classPath) throws MalformedURLException {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = classPath.get(i).toUri().toURL();
        }
        return urls;
    }
}
