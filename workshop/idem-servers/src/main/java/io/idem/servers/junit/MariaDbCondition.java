package io.idem.servers.junit;

import io.idem.servers.SharedServers;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The condition of {@link RequiresMariaDb}. */
final class MariaDbCondition implements ExecutionCondition {

    private static final Logger LOG = LoggerFactory.getLogger(MariaDbCondition.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (SharedServers.mariaDb().isPresent()) {
            return ConditionEvaluationResult.enabled("there is a MariaDB");
        }
        LOG.warn("SKIPPED: {} needs a MariaDB, set IDEM_MARIADB_URL to one", context.getDisplayName());
        return ConditionEvaluationResult.disabled("SKIPPED: no MariaDB here");
    }
}
