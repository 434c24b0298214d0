package io.idem.consumer.definition;

import io.idem.GuardAction;
import io.idem.consumer.ListenerConfigurationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long after its first delivery a message may come again, as the operator states it: the longest redelivery, dead-letter
 * redrive or rewind that is allowed. A listener that forgets sooner would run such a message twice.
 *
 * @param latest the longest time; null if the operator states none, then nothing is compared
 * @param action what is done about a listener that forgets sooner
 */
public record RetentionHorizon(@Nullable Duration latest, GuardAction action) {

    private static final Logger LOG = LoggerFactory.getLogger(RetentionHorizon.class);

    public void check(ListenerDefinition listener) {
        Duration retention = listener.policy().retention();
        if (latest == null || retention.compareTo(latest) >= 0) {
            return;
        }
        String problem = "forgets after " + retention + " what it has done, but duplicates may come for " + latest
                + " (idem.consumer.horizon): those that come later run again";
        String remedy = "Set idem.consumer.retention, or the listener's retention, to " + latest + " or longer";
        if (action == GuardAction.FAIL) {
            throw new ListenerConfigurationException(listener.method(), problem, remedy);
        }
        if (action == GuardAction.WARN) {
            LOG.warn("Scope \"{}\" {}. {}", listener.scope(), problem, remedy);
        }
    }
}
