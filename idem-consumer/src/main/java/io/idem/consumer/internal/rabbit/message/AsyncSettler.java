package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.io.IOException;
import org.aopalliance.intercept.MethodInvocation;

/**
 * Settler for listeners whose work ends after their return. Their container leaves the message to its listener adapter,
 * which settles when the work has ended; it does not settle after a method that throws instead of returning, so that is
 * done here.
 */
public record AsyncSettler(ManualSettler manual, Delivery delivery) implements Settler {

    @Override
    public MethodInvocation attempt() {
        return manual.attempt();
    }

    /**
     * Acknowledges if an advice swallowed the method's failure, since the adapter does not. Work that goes on is
     * settled at its end.
     */
    @Override
    public void finished() throws IOException {
        DeliveryDecision decision = delivery.decision().orElse(null);
        if (decision instanceof DeliveryDecision.Failed) {
            manual.acknowledge();
        } else if (!(decision instanceof DeliveryDecision.Handed)) {
            manual.finished();
        }
    }

    @Override
    public void handOver() throws IOException {
        manual.handOver();
    }

    @Override
    public void acknowledge() throws IOException {
        manual.acknowledge();
    }

    @Override
    public void defer(DeliveryDecision.Defer decision) throws IOException {
        manual.defer(decision);
    }

    @Override
    public void reject(DeliveryDecision.DeadLetter decision) throws IOException {
        manual.reject(decision);
    }

    @Override
    public void failed(Throwable failure) throws IOException {
        manual.refused(failure);
    }

    @Override
    public void refused(Throwable failure) throws IOException {
        manual.refused(failure);
    }
}
