package io.idem.demo.supervisor;

import io.idem.IdempotencyEventListener;
import io.idem.demo.intake.IntakeApplication;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The intake service, inside this process. */
final class Intake implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private Intake(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /**
     * Starts the intake on the loopback address and returns when it accepts requests. {@code listeners} receive idem's
     * events.
     */
    static Intake start(
            int port,
            Map<String, String> apiKeys,
            Map<String, String> settings,
            List<IdempotencyEventListener> listeners) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--server.address=127.0.0.1");
        arguments.add("--server.port=" + port);
        settings.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        int index = 0;
        for (Map.Entry<String, String> apiKey : apiKeys.entrySet()) {
            String entry = "--idem.gateway.api-keys[" + index++ + "]";
            arguments.add(entry + ".tenant=" + apiKey.getKey());
            arguments.add(entry + ".key=" + apiKey.getValue());
        }
        // The supervisor handles Ctrl-C, since it knows the order of stopping.
        return new Intake(new SpringApplicationBuilder(IntakeApplication.class)
                .properties(IntakeApplication.SETTINGS)
                .registerShutdownHook(false)
                .initializers(context -> register(context, listeners))
                .run(arguments.toArray(String[]::new)));
    }

    private static void register(ConfigurableApplicationContext context, List<IdempotencyEventListener> listeners) {
        listeners.forEach(listener ->
                context.getBeanFactory().registerSingleton("demoListener" + listeners.indexOf(listener), listener));
    }

    URI uri() {
        int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        return URI.create("http://127.0.0.1:" + port);
    }

    Addresses addresses() {
        return Addresses.of(context);
    }

    @Override
    public void close() {
        context.close();
    }
}
