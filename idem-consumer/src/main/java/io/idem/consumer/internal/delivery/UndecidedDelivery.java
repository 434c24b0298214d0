package io.idem.consumer.internal.delivery;

import io.idem.FailurePolicy;
import io.idem.RefusedWorkException;
import io.idem.consumer.ListenerConfigurationException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that came back without a decision, although no exception was seen: it is unknown whether its work is done.
 */
public final class UndecidedDelivery {

    private UndecidedDelivery() {}

    /**
     * Returns the decision on such a delivery.
     *
     * @param listener its name, for the log
     */
    public static DeliveryDecision.Stop of(String listener) {
        return new DeliveryDecision.Stop(new ListenerConfigurationException(
                listener
                        + " was not called for a message, and no exception says why: something of the application between the"
                        + " container and the method, such as an aspect or an advice, returned without calling it",
                "Order it inside idem (an aspect without an order, or with Ordered.LOWEST_PRECEDENCE, is), or let it call the"
                        + " method or throw"));
    }

    /**
     * Returns the decision on a delivery whose failure is a refusal by idem: the message is not to blame.
     *
     * @return empty for any other failure
     */
    public static Optional<DeliveryDecision.Stop> refusal(Throwable failure) {
        return FailurePolicy.causes(failure)
                .map(UndecidedDelivery::refused)
                .filter(Objects::nonNull)
                .findFirst()
                .map(DeliveryDecision.Stop::new);
    }

    private static @Nullable ListenerConfigurationException refused(Throwable cause) {
        if (cause instanceof RefusedWorkException refusal) {
            return new ListenerConfigurationException(
                    String.valueOf(refusal.getMessage()),
                    "Deploy work that does not ask for it; its message stays with the broker",
                    refusal);
        }
        return cause instanceof ListenerConfigurationException refusal ? refusal : null;
    }

    /**
     * Returns the decision on a delivery that came back without an exception: the one that was left, else that of a
     * failure which an advice of the application swallowed, else a stop.
     *
     * @param listener its name, for the log
     */
    public static DeliveryDecision decision(Delivery delivery, String listener) {
        return delivery.decision()
                .orElseGet(() -> delivery.sawFailure() ? new DeliveryDecision.Failed(Optional.empty()) : of(listener));
    }
}
