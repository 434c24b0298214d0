package io.idem.applications.mutation.app;

import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** A shop that has started. Its caller is in another class loader and knows only types of the JDK. */
public final class RunningShop implements Callable<String>, AutoCloseable {

    private static volatile String exit = "";

    private final ConfigurableApplicationContext context;
    private final Stops stops;

    private RunningShop(ConfigurableApplicationContext context, Stops stops) {
        this.context = context;
        this.stops = stops;
    }

    /**
     * Starts a shop.
     *
     * @param table gets a row of each run of an order
     * @param runs each run of an order adds its name
     */
    public static RunningShop start(String transport, Map<String, Object> settings, String table, Queue<String> runs) {
        Class<?> intake = switch (transport) {
            case "RABBITMQ" -> RabbitShop.class;
            case "KAFKA" -> KafkaShop.class;
            case "STREAM_RABBITMQ" -> RabbitStreamShop.class;
            case "STREAM_KAFKA" -> KafkaStreamShop.class;
            case "HTTP" -> WebShop.class;
            default -> throw new IllegalArgumentException(transport);
        };
        Stops stops = new Stops();
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Common.class, intake)
                .web(intake == WebShop.class ? WebApplicationType.SERVLET : WebApplicationType.NONE)
                .registerShutdownHook(false)
                .initializers(one -> {
                    ConfigurableListableBeanFactory beans = one.getBeanFactory();
                    beans.registerSingleton(
                            "orders", new Orders(table, runs, beans.getBeanProvider(JdbcTemplate.class)));
                })
                .listeners(stops)
                .run(settings.entrySet().stream()
                        .map(one -> "--" + one.getKey() + "=" + one.getValue())
                        .toArray(String[]::new));
        return new RunningShop(Objects.requireNonNull(context), stops);
    }

    /** Returns why the listener stopped; empty if it runs. */
    @Override
    public String call() {
        if (!exit.isEmpty() || !stops.why.isEmpty()) {
            return exit.isEmpty() ? stops.why : exit;
        }
        boolean stopped = context.getBeanProvider(Intake.class).stream().anyMatch(Intake::isStopped);
        return stopped ? "its container does not run" : "";
    }

    /** Is what a framework calls that would end the JVM. */
    public static void exit(int code) {
        exit = "the process exits with " + code;
    }

    /** Returns the port of the web server. */
    public String port() {
        return String.valueOf(context.getEnvironment().getProperty("local.server.port"));
    }

    @Override
    public void close() {
        context.close();
    }

    /** Notes that a listener container has stopped, by the names of the frameworks' events. */
    private static final class Stops implements ApplicationListener<org.springframework.context.ApplicationEvent> {

        private volatile String why = "";

        @Override
        public void onApplicationEvent(org.springframework.context.ApplicationEvent event) {
            String name = event.getClass().getSimpleName();
            boolean stopped = name.endsWith("ConsumerStoppedEvent")
                    || name.endsWith("ContainerStoppedEvent")
                    || name.endsWith("ConsumerTerminatedEvent");
            if (stopped && why.isEmpty()) {
                why = name;
            }
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Common {}
}
