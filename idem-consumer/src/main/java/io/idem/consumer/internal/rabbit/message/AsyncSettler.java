package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.io.IOException;
import org.aopalliance.intercept.MethodInvocation;

/**
 * For listeners whose work ends after their return. Their container leaves the message to its listener adapter, which settles
 * when the work has ended; a method that throws instead of returning is nobody's business there, so it is settled here.
 */
public record AsyncSettler(ManualSettler manual, Delivery delivery) implements Settler {

    @Override
    public MethodInvocation attempt() {
        return manual.attempt();
    }

    /** A failure that somebody took over leaves nobody to acknowledge. Work that goes on is settled at its end. */
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
