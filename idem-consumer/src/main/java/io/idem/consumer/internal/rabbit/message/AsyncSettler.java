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
        DeliveryDecision verdict = delivery.verdict().orElse(null);
        if (verdict instanceof DeliveryDecision.Failed) {
            manual.acknowledge();
        } else if (!(verdict instanceof DeliveryDecision.Handed)) {
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
    public void defer(DeliveryDecision.Defer verdict) throws IOException {
        manual.defer(verdict);
    }

    @Override
    public void reject(DeliveryDecision.DeadLetter verdict) throws IOException {
        manual.reject(verdict);
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
