package io.idem.servers.junit;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a test runs that needs a server which not every machine has. A skipped test is logged as a warning
 * and counted.
 */
abstract class ServerCondition implements ExecutionCondition {

    private static final Logger LOG = LoggerFactory.getLogger(ServerCondition.class);
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(ServerCondition.class);

    private final String server;
    private final String remedy;
    private final String insistingSetting;
    private final BooleanSupplier available;
    private final BooleanSupplier insisting;

    /**
     * Creates a condition.
     *
     * @param server name of the server in messages
     * @param remedy instruction for providing a server
     * @param insistingSetting name of the setting that {@code insisting} reads, with which a test fails instead of
     *     being skipped
     */
    ServerCondition(
            String server,
            String remedy,
            String insistingSetting,
            BooleanSupplier available,
            BooleanSupplier insisting) {
        this.server = server;
        this.remedy = remedy;
        this.insistingSetting = insistingSetting;
        this.available = available;
        this.insisting = insisting;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return decide(
                context.getDisplayName(),
                () -> context.getRoot()
                        .getStore(OURS)
                        .computeIfAbsent(server, SkipCount::new, SkipCount.class)
                        .increment());
    }

    ConditionEvaluationResult decide(String test, Runnable onSkip) {
        if (available.getAsBoolean()) {
            return ConditionEvaluationResult.enabled("there is a " + server);
        }
        if (insisting.getAsBoolean()) {
            throw new IllegalStateException(
                    "No " + server + " for " + test + ", and " + insistingSetting + " is set: " + remedy);
        }
        LOG.warn("SKIPPED: {} needs a {}, {}", test, server, remedy);
        onSkip.run();
        return ConditionEvaluationResult.disabled("SKIPPED: no " + server + " here");
    }

    /** Returns whether a system property or an environment variable is set to true. */
    static boolean isSet(String setting) {
        return Optional.ofNullable(System.getProperty(setting))
                .or(() -> Optional.ofNullable(System.getenv(setting)))
                .filter(Boolean::parseBoolean)
                .isPresent();
    }
}
