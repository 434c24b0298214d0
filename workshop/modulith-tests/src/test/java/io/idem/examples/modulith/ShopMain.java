package io.idem.examples.modulith;

import io.idem.servers.process.ParentWatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** The service in a process of its own, until it is killed. */
final class ShopMain {

    /** The setting that leaves externalization to Kafka out. */
    static final String WITHOUT_KAFKA = "--spring.autoconfigure.exclude="
            + "org.springframework.modulith.events.kafka.KafkaEventExternalizerConfiguration";

    private ShopMain() {}

    /** Starts the service; the first argument names the class that listens, the others are settings. */
    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        run(
                List.of(ClassUtils.resolveClassName(arguments[0], null)),
                Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    static ConfigurableApplicationContext run(List<Class<?>> more, String... settings) {
        List<Class<?>> sources = new ArrayList<>(more);
        sources.add(Shop.class);
        return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties("idem.store=inbox")
                .run(settings);
    }
}
