package io.idem.demo;

import io.idem.demo.supervisor.Demo;
import io.idem.demo.supervisor.DemoOptions;
import io.idem.demo.supervisor.StartException;
import io.idem.demo.supervisor.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The main class of {@code ./demo}. */
public final class PaymentDemo {

    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;
    private static final int MOST_RANDOM_SEEDS = 1_000_000;

    private PaymentDemo() {}

    /** Exits with 0 if nothing was lost and nothing doubled, with 2 for a wrong command line. */
    public static void main(String[] arguments) throws Exception {
        System.exit(run(List.of(arguments)));
    }

    private static int run(List<String> arguments) throws IOException, InterruptedException {
        try {
            DemoOptions options = DemoOptions.parse(arguments, () -> new SecureRandom().nextInt(MOST_RANDOM_SEEDS));
            if (options.help()) {
                System.out.print(usage());
                return 0;
            }
            // Tomcat's words belong into the log file like all others.
            SLF4JBridgeHandler.removeHandlersForRootLogger();
            SLF4JBridgeHandler.install();
            return new Demo(options, System.out).run();
        } catch (UsageException wrong) {
            System.err.println("demo: " + wrong.getMessage() + "; see ./demo --help");
            return WRONG_USAGE;
        } catch (StartException cannot) {
            System.err.println("demo: " + cannot.getMessage());
            return FAILED;
        } catch (RuntimeException broken) {
            LoggerFactory.getLogger(PaymentDemo.class).error("The demo broke down", broken);
            System.err.println("demo: " + broken + "; see payment-demo/target/demo-logs");
            return FAILED;
        }
    }

    private static String usage() throws IOException {
        try (InputStream text = PaymentDemo.class.getResourceAsStream("/usage.txt")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
