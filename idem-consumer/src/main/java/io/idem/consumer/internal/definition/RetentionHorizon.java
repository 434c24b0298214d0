package io.idem.consumer.internal.definition;

import static io.idem.internal.Durations.shorter;

import io.idem.Inbox;
import io.idem.consumer.ListenerConfigurationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The longest time after its first delivery at which a message may come again, as the operator states it: the longest
 * redelivery, dead-letter redrive or rewind that is allowed. A listener that forgets sooner would run such a message
 * twice. With an inbox, an effect is known for as long as its row is kept, which is as long as records of the scope.
 *
 * @param latest the longest time; null if the operator states none, then nothing is compared
 */
public record RetentionHorizon(@Nullable Duration latest) {

    /**
     * Compares a listener with the horizon.
     *
     * @throws ListenerConfigurationException if it forgets sooner
     */
    public void check(ListenerDefinition listener) {
        Inbox inbox = listener.inbox();
        if (inbox != null) {
            checkRows(listener, shorter(inbox.retention(), listener.policy().retention()));
            return;
        }
        Duration retention = listener.policy().retention();
        if (latest == null || retention.compareTo(latest) >= 0) {
            return;
        }
        throw new ListenerConfigurationException(
                listener.method(),
                "forgets after " + retention + " what it has done, but duplicates may come for " + latest
                        + " (idem.consumer.retry-horizon): those that come later run again",
                "Set idem.consumer.retention, or the listener's retention, to " + latest + " or longer");
    }

    private void checkRows(ListenerDefinition listener, Duration kept) {
        if (latest != null && kept.compareTo(latest) < 0) {
            throw new ListenerConfigurationException(
                    listener.method(),
                    "has an inbox that keeps rows for " + kept + ", but duplicates may come for " + latest + " (idem.consumer.retry-horizon): those that come later run again",
                    "Set idem.consumer.retention, or the listener's retention, to " + latest + " or longer");
        }
    }
}
