package io.idem.e2e.instances;

import io.idem.servers.SharedServers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The instances of one application in this JVM, with one Redis. Not thread-safe. */
public final class Instances implements AutoCloseable {

    private final Broker broker;
    private final Payments payments;
    private final Deque<ConfigurableApplicationContext> running = new ArrayDeque<>();
    private int joined;

    /** Creates the application without any instance. */
    public Instances(Broker broker, Payments payments) {
        this.broker = broker;
        this.payments = payments;
    }

    /** Starts an instance; returns when its listeners run. */
    public void join() {
        joined++;
        running.add(new SpringApplicationBuilder(AutoConfigured.class, broker.listener())
                .web(WebApplicationType.NONE)
                .properties(settings())
                .initializers(fresh -> fresh.getBeanFactory().registerSingleton("payments", payments))
                .run());
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(broker.settings());
        settings.put("test.instance", joined);
        settings.put("spring.data.redis.url", SharedServers.redis().uri());
        settings.put("spring.application.name", "instances");
        settings.put("spring.main.banner-mode", "off");
        settings.put("idem.consumer.in-place-wait", "100ms");
        settings.put("idem.consumer.kafka.redelivery-delay", "100ms");
        // All failures and cuts are deliberate, so their log is turned off.
        settings.put("logging.level.org.springframework", "error");
        settings.put("logging.level.org.apache.kafka", "error");
        settings.put("logging.level.com.rabbitmq", "off");
        return settings;
    }

    /** Closes the oldest instance; returns when it has disconnected from the broker. */
    public void leave() {
        running.remove().close();
    }

    @Override
    public void close() {
        while (!running.isEmpty()) {
            leave();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class AutoConfigured {}
}
