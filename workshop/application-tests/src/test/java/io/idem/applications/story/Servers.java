package io.idem.applications.story;

import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings with the addresses of the servers and with short waits. */
final class Servers {

    private Servers() {}

    static Map<String, String> settings(Application application, Site site) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.putAll(site.settings());
        settings.put("spring.main.banner-mode", "off");
        settings.put("spring.data.redis.url", SharedServers.redis().uri());
        rabbit(settings);
        kafka(settings, site.name());
        database(settings, application);
        settings.put("idem.lease", "2s");
        settings.put("idem.consumer.in-place-wait", "100ms");
        settings.put("idem.consumer.kafka.redelivery-delay", "50ms");
        settings.putAll(application.settings());
        return settings;
    }

    private static void rabbit(Map<String, String> settings) {
        RunningAmqp broker = SharedServers.amqp();
        settings.put("spring.rabbitmq.host", broker.host());
        settings.put("spring.rabbitmq.port", Integer.toString(broker.port()));
        settings.put("spring.rabbitmq.username", broker.username());
        settings.put("spring.rabbitmq.password", broker.password());
        settings.put("spring.rabbitmq.virtual-host", broker.virtualHost());
        settings.put("spring.rabbitmq.publisher-confirm-type", "correlated");
        settings.put("spring.rabbitmq.publisher-returns", "true");
    }

    private static void kafka(Map<String, String> settings, String site) {
        settings.put("spring.kafka.bootstrap-servers", SharedServers.kafka().bootstrapServers());
        settings.put("spring.kafka.consumer.group-id", site);
        settings.put("spring.kafka.consumer.auto-offset-reset", "earliest");
        settings.put("spring.kafka.consumer.fetch-max-wait", "20ms");
        settings.put("spring.kafka.listener.poll-timeout", "100ms");
        // The shortest timeout allowed by default, after which the partitions of a killed process are reassigned.
        settings.put("spring.kafka.consumer.properties[session.timeout.ms]", "6000");
        settings.put("spring.kafka.consumer.heartbeat-interval", "500ms");
        settings.put("spring.kafka.consumer.properties[metadata.max.age.ms]", "2000");
    }

    private static void store(Map<String, String> settings, Application application) {
        if (application.has(Trait.INBOX_ALONE)) {
            settings.put("idem.store", "inbox");
            settings.put("idem.jdbc.initialize-schema", "always");
        } else {
            settings.put("idem.jdbc.enabled", "false");
        }
    }

    private static void database(Map<String, String> settings, Application application) {
        if (application.has(Trait.DATABASE)) {
            RunningPostgres postgres = SharedServers.postgres();
            settings.put("spring.datasource.url", postgres.jdbcUrl());
            settings.put("spring.datasource.username", postgres.user());
            settings.put("spring.datasource.password", postgres.password());
            settings.put("spring.datasource.hikari.maximum-pool-size", "3");
            // A session is a process of the server; most stories need one.
            settings.put("spring.datasource.hikari.minimum-idle", "1");
            store(settings, application);
        } else {
            settings.put(
                    "spring.autoconfigure.exclude",
                    "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
        }
    }
}
